import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EventItem } from "../lib/eventIndex.js";
import { isFiltering } from "../lib/filter.js";
import { movedIndex } from "../lib/movedIndex.js";
import { useApp } from "../state/app.js";
import { useMedia, useWidth } from "../ui/hooks.js";
import { IconButton } from "../ui/iconButton.js";
import { VirtualGrid } from "../ui/virtualRows.js";
import { menuOf } from "../words/facts.js";
import { nameLength } from "../words/subject.js";
import { grouped, strings } from "../words/text.js";
import { EventRow, shortTool } from "./eventRow.js";
import { FilterBar, FilterButton } from "./filterBar.js";

const ROW_HEIGHT = 22;
/** Below this width a row takes two lines. */
const NARROW = 500;
/** Below this width the filters fold into a button; so they do on a low page. */
const FOLDED = 450;
const NARROW_ROW_HEIGHT = 38;
const SHORT = "(max-height: 360px)";

/** Everything that happened, one line each, in order. */
export function Events(): VNode {
  const { events, ui } = useApp();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const narrow = width < NARROW;
  const short = useMedia(SHORT);
  const folds = width < FOLDED || short;
  const text = strings.events;
  return (
    <div class={narrow ? "events is-narrow" : "events"} ref={frame}>
      {(!folds || ui.filterOpen.value) && <FilterBar />}
      {events.value?.length === 0 && <p class="nothing">{isFiltering(ui.filter.value) ? text.noneMatch : text.none}</p>}
      {/* Another conversation is another list, with its own columns and its own place. Always rendered, so that nothing
          moves when it is filled. */}
      <EventTable
        key={ui.place.value}
        rowHeight={narrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
        button={folds && <FilterButton />}
      />
    </div>
  );
}

interface EventTableProps {
  readonly rowHeight: number;
  /** Beside the headings. */
  readonly button: VNode | false;
}

function EventTable({ rowHeight, button }: EventTableProps): VNode {
  const { events, ui, actions, store, live } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const list = events.value;
  const { context, members } = store;
  const project = members?.sessions.find(({ key }) => key === members.selected?.session)?.project ?? "";
  const text = strings.events;
  const selection = ui.selection.value;
  const place = selection && list ? list.find(selection) : { index: -1, found: false };
  const active = place.found ? place.index : -1;
  const count = list?.length ?? 0;
  const { table, largest, outcomeIs } = useColumns();

  const pick = (item: EventItem | undefined) => {
    if (item === undefined) return;
    if ("row" in item) actions.select(item.row);
    else actions.selectMark(item.mark);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const from = place.found ? place.index : place.index - 1;
    const to = event.altKey || event.ctrlKey || event.metaKey ? undefined : movedIndex(event.key, from, count, page);
    const row = selection && "row" in selection ? selection.row : null;
    if (to !== undefined) pick(list?.at(to));
    else if (event.key === "Enter" && row !== null) actions.openCall(row);
    else if (event.key === "ArrowRight" && !event.altKey) followReference(row);
    else if (event.key === "ArrowLeft") actions.back();
    else if (event.key === "Escape") actions.select(null);
    else return;
    event.preventDefault();
  };
  const followReference = (row: number | null) => {
    const rows = context?.rows;
    const other =
      row === null || !rows ? 0 : rows.get(row, "ref") || rows.get(row, "cause") || rows.get(row, "earlier");
    if (other > 0) actions.follow(other - 1);
  };

  return (
    <div class="event-table" ref={table}>
      <Heads button={button} />
      <VirtualGrid
        count={count}
        rowHeight={rowHeight}
        active={active}
        sticksToEnd={live.value && active === -1}
        onAtEnd={setAtEnd}
        initialTop={ui.top.peek() ?? undefined}
        onTop={top => {
          ui.top.value = top;
        }}
        scroller={scroller}
        name="event"
        label={text.label}
        onKeyDown={onKeyDown}
        menu={
          active >= 0 && context && selection && "row" in selection ? menuOf(context.rows, selection.row) : undefined
        }
        renderRow={(index, id) => {
          const item = list?.at(index);
          return item && context ? (
            <EventRow
              key={"row" in item ? item.row : -1 - item.mark}
              id={id}
              item={item}
              index={index}
              context={context}
              selected={index === active}
              project={project}
              capacity={members?.settings.capacity ?? 0}
              largest={largest}
              onPick={pick}
              outcomeIs={outcomeIs}
            />
          ) : null;
        }}
      />
      {live.value && !atEnd && count > 0 && (
        <div class="to-end">
          <IconButton
            icon="down"
            label={text.toEnd}
            onClick={() => {
              if (scroller.current) scroller.current.scrollTop = count * rowHeight;
            }}
          />
        </div>
      )}
    </div>
  );
}

/** The names of the columns, for the eye: rows say the same to screen readers. */
function Heads({ button }: Pick<EventTableProps, "button">): VNode {
  const { events: text, columns } = strings;
  return (
    <div class="event-heads">
      <div class="event-head" aria-hidden="true">
        <span class="cell-glyph" />
        <span class="cell-number">{text.call}</span>
        <span class="cell-tool">{text.tool}</span>
        <span class="cell-target">
          <span class="target-name">{text.subject}</span>
        </span>
        <span class="cell-tokens">{columns.tokens}</span>
        <span class="cell-outcome">{text.outcome}</span>
      </div>
      {button}
    </div>
  );
}

/** Longer names than these share the room with the rest of their row. */
const MAX_TOOL = 13;
const MAX_NAME = 40;
const MAX_OUTCOME = 34;

/**
 * Columns as wide as what is in them. All rows have the same, so they are set on the table. An outcome's length is known
 * once its row is shown: that column only ever grows, so that nothing moves back and forth while scrolling.
 */
function useColumns() {
  const { context } = useApp().store;
  const table = useRef<HTMLDivElement>(null);
  // The heading has a button beside it.
  const outcome = useRef(strings.events.outcome.length + 4);
  const nothing = { rows: 0, largest: 1, name: 4, of: context };
  const seen = useRef(nothing);
  if (seen.current.of !== context) seen.current = nothing;
  const memo = seen.current;
  for (; context && memo.rows < context.rows.length; memo.rows++) {
    memo.largest = Math.max(memo.largest, context.rows.get(memo.rows, "chars"));
    if (memo.name < MAX_NAME) memo.name = Math.min(MAX_NAME, Math.max(memo.name, nameLength(context, memo.rows)));
  }
  const tokens = Math.round(memo.largest / (context?.calibration.charsPerToken ?? 1));
  const longestTool = (context?.tools ?? []).reduce((most, name) => Math.max(most, shortTool(name).length), 4);
  const widths = {
    number: Math.max(strings.events.call.length, grouped(context?.rows.length ?? 0).length),
    tool: Math.min(MAX_TOOL, longestTool),
    // Letters may be wider than the digit that the unit is made from, and a folder keeps its distance.
    name: memo.name + 2,
    tokens: Math.max(strings.columns.tokens.length, grouped(tokens).length) + 1,
  };
  // A digit is wider than most letters.
  const apply = (name: string, characters: number) =>
    table.current?.style.setProperty(
      `--${name}`,
      `${Math.ceil(/tool|name|outcome/.test(name) ? 0.88 * characters : characters)}ch`,
    );
  useLayoutEffect(() => {
    for (const [name, characters] of Object.entries(widths)) apply(name, characters);
    apply("outcome", outcome.current);
  });
  const outcomeIs = (characters: number) => {
    if (characters <= outcome.current || outcome.current === MAX_OUTCOME) return;
    outcome.current = Math.min(MAX_OUTCOME, characters);
    apply("outcome", outcome.current);
  };
  return { table, largest: memo.largest, outcomeIs };
}
