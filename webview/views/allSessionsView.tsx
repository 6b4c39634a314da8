import type { ComponentChildren, VNode } from "preact";
import type { AllSessionsReport } from "../../src/protocol/comparison.js";
import { useApp } from "../state/app.js";
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
  if (all === undefined) return null;
  const { progress, report, problem } = all;
  const capacity = store.members?.settings.capacity;
  if (store.members?.sessions.every(item => item.sample)) return <p class="muted note">{text.noneOfYours}</p>;
  return (
    <>
      <div class="what-if-actions">
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
        {progress === null && report !== null && (
          <span class="muted">
            {fill(text.allOf, {
              sessions: counted(strings.counts.sessions, report.sessions),
              results: counted(strings.counts.results, report.results),
            })}
          </span>
        )}
      </div>
      {report === null && progress === null && <p class="muted note">{text.allAbout}</p>}
      {problem !== null && <p>{fill(strings.app.failed, { what: text.cannotCompare, why: problem })}</p>}
      {report !== null && report.capacity !== capacity && (
        <p class="muted note">{fill(text.outdated, { capacity: report.capacity })}</p>
      )}
      {report !== null && children(report)}
    </>
  );
}
