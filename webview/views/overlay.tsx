import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../src/protocol/channel.js";
import type { AnswerTo, PageAsk, PageRequests } from "../../src/protocol/requests.js";
import { useApp } from "../state/app.js";
import { focusList } from "../ui/dom.js";
import { IconButton } from "../ui/iconButton.js";
import { fill, strings } from "../words/pageText.js";
import { Compare } from "./compare.js";
import { LiveHintsView } from "./liveHintsView.js";
import { LogLine } from "./logLineView.js";

/** In a browser: a text that replaces timeline and tabs until it is closed. */
export function OverlayView(): VNode | null {
  const overlay = useApp().ui.overlay.value;
  switch (overlay?.kind) {
    case undefined:
      return null;
    case "compare":
      return <Compare of={overlay} />;
    case "logLine":
      return <LogLine row={overlay.row} />;
    case "liveHints":
      return <LiveHintsView on={overlay.on} />;
  }
}

interface OverlayFrameProps {
  readonly label: string;
  readonly summary?: string | undefined;
  readonly children: ComponentChildren;
}

export function OverlayFrame({ label, summary, children }: OverlayFrameProps): VNode {
  const { ui } = useApp();
  const frame = useRef<HTMLElement>(null);
  const close = () => {
    ui.overlay.value = null;
  };
  // Focus moves in when it opens, and back to the list when it closes.
  useLayoutEffect(() => {
    frame.current?.focus();
    return focusList;
  }, []);
  return (
    <section
      class="overlay"
      ref={frame}
      tabIndex={-1}
      aria-label={label}
      onKeyDown={event => {
        if (event.key === "Escape") close();
      }}
    >
      <div class="overlay-head">
        <IconButton icon="back" label={strings.app.back} onClick={close} />
        <h1>{label}</h1>
        <span class="muted">{summary}</span>
      </div>
      {children}
    </section>
  );
}

/**
 * The answer to a request: undefined until it arrives, an Error if it failed. The request is repeated after every new
 * snapshot; the answer from before stays in place until then if it is about the same call under the same settings, so
 * that a page that was hidden keeps its focus and its scroll positions.
 */
export function useAnswer<A extends PageAsk>(ask: A, failure: string): AnswerTo<PageRequests, A> | Error | undefined {
  const { actions, store } = useApp();
  const { context } = store;
  const asked = useRef(ask);
  if (JSON.stringify(asked.current) !== JSON.stringify(ask)) asked.current = ask;
  const question = asked.current;
  const [answer, setAnswer] = useState<{
    readonly question: A;
    readonly subject: string;
    readonly result: AnswerTo<PageRequests, A> | Error;
  }>();
  const call = "row" in question ? context?.ids[question.row] : undefined;
  const subject = JSON.stringify([store.basis, call]);
  useEffect(() => {
    let wanted = true;
    const take = (result: AnswerTo<PageRequests, A> | Error) => {
      if (wanted) setAnswer({ question, subject, result });
    };
    actions.channel
      .ask(question)
      .then(take, (error: unknown) =>
        take(new Error(fill(strings.app.failed, { what: failure, why: messageOf(error) }))),
      );
    return () => {
      wanted = false;
    };
  }, [question, context, subject, actions, failure]);
  return answer?.question === question && answer.subject === subject ? answer.result : undefined;
}
