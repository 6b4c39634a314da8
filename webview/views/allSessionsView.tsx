import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { AllSessions, AllSessionsReport } from "../../src/protocol/comparison.js";
import { useApp } from "../state/app.js";
import { useFocusKept } from "../ui/hooks.js";
import { Button, Progress } from "../ui/kit.js";
import { counted, fill, strings } from "../words/pageText.js";
import { progressText } from "./reading.js";

interface AllSessionsProps {
  readonly children: (report: AllSessionsReport) => ComponentChildren;
}

/** The comparison of all sessions, with the button that starts it and its progress. */
export function AllSessionsView({ children }: AllSessionsProps): VNode | null {
  const { store, actions } = useApp();
  const text = strings.whatIf;
  const all = store.members?.all;
  // Its two buttons replace each other.
  const line = useFocusKept<HTMLDivElement>(() => line.current?.querySelector<HTMLElement>("vscode-button")?.focus());
  useAnnounced(all);
  if (all === undefined) return null;
  const { progress, report, problem } = all;
  const capacity = store.members?.settings.capacity;
  if (store.members?.sessions.every(item => item.sample)) return <p class="muted note">{text.noneOfYours}</p>;
  return (
    <>
      <div class="what-if-actions" ref={line}>
        {progress === null ? (
          <Button
            primary={report === null}
            label={report === null ? text.compareAll : text.compareAgain}
            onClick={() => actions.compareAll(true)}
          />
        ) : (
          <>
            <Progress label={strings.reading.title} />
            <span>{progressText(progress)}</span>
            <Button label={text.cancel} onClick={() => actions.compareAll(false)} />
          </>
        )}
        {progress === null && report !== null && <span class="muted">{coverage(report)}</span>}
      </div>
      {report === null && progress === null && <p class="muted note">{text.allAbout}</p>}
      {problem !== null && <p>{failure(problem)}</p>}
      {report !== null && report.capacity !== capacity && (
        <p class="muted note">{fill(text.outdated, { capacity: report.capacity })}</p>
      )}
      {report !== null && children(report)}
    </>
  );
}

/** Tells screen readers when the comparison starts, and how it ends. */
function useAnnounced(all: AllSessions | undefined): void {
  const { actions } = useApp();
  const before = useRef(all);
  useEffect(() => {
    const [was, is] = [before.current, all];
    before.current = all;
    if (was === undefined || is === undefined || (was.progress === null) === (is.progress === null)) return;
    if (is.progress !== null) actions.announce(strings.reading.title);
    else if (is.problem !== null) actions.announce(failure(is.problem));
    else if (is.report !== null) actions.announce(coverage(is.report));
  }, [all, actions]);
}

function coverage({ sessions, results }: AllSessionsReport): string {
  return fill(strings.whatIf.allOf, {
    sessions: counted(strings.counts.sessions, sessions),
    results: counted(strings.counts.results, results),
  });
}

const failure = (why: string) => fill(strings.app.failed, { what: strings.whatIf.cannotCompare, why });
