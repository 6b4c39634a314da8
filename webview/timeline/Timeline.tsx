import "./timeline.css";
import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { strings } from "../../src/words/strings.js";
import { menuOf } from "../words/callFacts.js";
import { TimelineController } from "./element/controller.js";
import type { TimelineProps } from "./types.js";

/**
 * The canvas timeline. It fills its parent.
 *
 * role="application", because only then do screen readers pass on the arrow keys and letters instead of using them to
 * read the page; "img" would never get them. The name is a summary of the data, the description lists the keys, and the
 * selection is announced through the page's live region: one node per mark would overwhelm a screen reader.
 */
export function Timeline(props: TimelineProps): JSX.Element {
  const wrapper = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const controller = useRef<TimelineController | null>(null);
  const help = useId();
  const { handle } = props;

  // Created once; the effect below passes on later props.
  useLayoutEffect(() => {
    if (wrapper.current === null || canvas.current === null || card.current === null) return;
    const made = new TimelineController(
      { wrapper: wrapper.current, canvas: canvas.current, card: card.current },
      props,
    );
    controller.current = made;
    return () => {
      made.dispose();
      controller.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    controller.current?.take(props);
    if (handle === undefined) return;
    handle.current = controller.current;
    return () => {
      handle.current = null;
    };
  });

  return (
    <div
      ref={wrapper}
      class="timeline"
      role="application"
      aria-roledescription={strings.timeline.role}
      aria-describedby={help}
      // What the context menu is about if the keyboard opens it; under the pointer, the canvas sets it.
      data-vscode-context={props.selected === null ? undefined : menuOf(props.input.rows, props.selected)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is interactive; all keys are handled on it.
      tabIndex={0}
    >
      <canvas ref={canvas} class="timeline-canvas" />
      <div ref={card} class="timeline-card" aria-hidden="true" hidden />
      <div id={help} class="timeline-help">
        {strings.timeline.help}
      </div>
    </div>
  );
}
