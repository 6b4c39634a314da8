import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Ask } from "../../src/protocol/messages.js";
import { useApp } from "../state/app.js";
import { focusList } from "../ui/dom.js";
import { IconButton } from "../ui/iconButton.js";
import { fill, strings } from "../words/text.js";
import { Compare } from "./compare.js";
import { LogLine } from "./logLine.js";

/** In a browser: a text in the place of timeline and tabs, until it is closed. */
export function OverlayView(): VNode | null {
  const overlay = useApp().ui.overlay.value;
  if (overlay === null) return null;
  return overlay.kind === "compare" ? <Compare of={overlay} /> : <LogLine row={overlay.row} />;
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
  // The focus goes in with the user, and back to the list that the way led from.
  useEffect(() => {
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
 * The answer to a question: undefined until it is there, an Error where there is none. With a new snapshot, of another
 * session or under other settings, the same question may have another answer: it is asked anew.
 */
export function useAnswer(ask: Ask, failure: string): unknown {
  const { actions, store } = useApp();
  const { context } = store;
  const [answer, setAnswer] = useState<{ readonly key: string; readonly of: unknown; readonly result: unknown }>();
  const key = JSON.stringify(ask);
  useEffect(() => {
    let wanted = true;
    const take = (result: unknown) => {
      if (wanted) setAnswer({ key, of: context, result });
    };
    actions.channel
      .ask(JSON.parse(key) as Ask)
      .then(take, (error: Error) => take(new Error(fill(strings.app.failed, { what: failure, why: error.message }))));
    return () => {
      wanted = false;
    };
  }, [key, context, actions, failure]);
  return answer?.key === key && answer.of === context ? answer.result : undefined;
}
