import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useApp } from "../state/app.js";
import { tallestFor } from "../timeline/layout/timelineLayout.js";
import { familyCode } from "../timeline/model/families.js";
import { Timeline } from "../timeline/Timeline.js";
import type { Savings, TimelineHandle } from "../timeline/types.js";
import { useFocusKept } from "../ui/hooks.js";
import { strings } from "../words/pageText.js";

interface TimelinePaneProps {
  readonly handle: { current: TimelineHandle | null };
}

/** The timeline with the page's data, selection and filter. */
export function TimelinePane({ handle }: TimelinePaneProps): VNode | null {
  const { store, ui, actions, rowFilter } = useApp();
  const savings = useSavings();
  const pane = useFocusKept<HTMLElement>(() => handle.current?.focus());
  const { context, members, contextVersion } = store;
  const selection = ui.selection.value;
  const input = useMemo(
    () =>
      context && {
        rows: context.rows,
        tools: context.tools,
        targets: context.targets,
        marks: context.marks,
        partitionRequests: context.partitionRequests,
        requests: context.requests,
        charsPerToken: context.calibration.charsPerToken,
        sources: context.sources,
        savings,
        version: contextVersion,
      },
    [context, contextVersion, savings],
  );
  if (input === null || members === null) return null;
  return (
    <section
      class="timeline-pane"
      ref={pane}
      aria-label={strings.timeline.label}
      style={{ "--tallest": `${tallestFor(new Set(input.tools.map(familyCode)).size)}px` }}
    >
      <Timeline
        // Each conversation has its own timeline, with its own view.
        key={ui.place.value}
        input={input}
        axis={members.settings.axis}
        selected={rowOf(selection)}
        onSelect={row => actions.select(row)}
        onOpen={row => actions.openCall(row)}
        filter={rowFilter.value}
        announce={text => actions.announce(text)}
        onView={view => {
          ui.view.value = view;
        }}
        initialView={ui.view.peek()}
        handle={handle}
      />
    </section>
  );

  /** A mark is shown by the call that caused it. */
  function rowOf(of: typeof selection): number | null {
    if (of === null || "row" in of) return of?.row ?? null;
    const mark = context?.marks[of.mark];
    return mark?.kind === "invalidate" ? mark.position : null;
  }
}

/** What the chosen strategy would leave out of each result. */
function useSavings(): Savings | undefined {
  const { ui, comparison } = useApp();
  const strategy = ui.strategy.value;
  const version = comparison.version.value;
  useEffect(() => {
    if (strategy !== null) comparison.wantSavings(strategy);
  }, [comparison, strategy, version]);
  const pairs = comparison.savings.state.value.value;
  return useMemo(() => {
    if (strategy === null || pairs === undefined) return undefined;
    const chars = new Map<number, number>();
    for (let at = 0; at < pairs.length; at += 2) chars.set(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    return { name: strings.strategies[strategy].name, chars };
  }, [strategy, pairs]);
}
