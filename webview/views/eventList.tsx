import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EventItem } from "../lib/eventIndex.js";
import { isFiltering } from "../lib/filter.js";
import { movedIndex } from "../lib/movedIndex.js";
import { useApp } from "../state/app.js";
import { useFocusKept, useMedia, useWidth } from "../ui/hooks.js";
import { IconButton } from "../ui/iconButton.js";
import { VirtualGrid } from "../ui/virtualRows.js";
import { menuOf } from "../words/callFacts.js";
import { strings } from "../words/pageText.js";
import { EventHeads, EventRow, useColumns } from "./eventRow.js";
import { FilterBar, FilterButton } from "./filterBar.js";

const ROW_HEIGHT = 22;
/** Below this width a row takes two lines. */
const NARROW = 500;
/** Below this width, and on a low page, the filters fold into a button. */
const FOLDED = 450;
const NARROW_ROW_HEIGHT = 38;
const SHORT = "(max-height: 360px)";

/** Everything that happened, one line each, in order. */
export function Events(): VNode {
  const { events, ui } = useApp();
  const frame = useFocusKept<HTMLDivElement>();
  const width = useWidth(frame);
  const narrow = width < NARROW;
  const short = useMedia(SHORT);
  const folds = width < FOLDED || short;
  const text = strings.events;
  return (
    <div class={narrow ? "events is-narrow" : "events"} ref={frame}>
      {(!folds || ui.filterOpen.value) && <FilterBar />}
      {events.value?.length === 0 && <p class="nothing">{isFiltering(ui.filter.value) ? text.noneMatch : text.none}</p>}
      {/* Each conversation has its own list, with its own columns and scroll position. Always rendered, so that nothing
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
  /** Next to the headings. */
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
    const held = event.altKey || event.ctrlKey || event.metaKey;
    const to = held ? undefined : movedIndex(event.key, place.index, count, page);
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
      <EventHeads button={button} />
      <VirtualGrid
        count={count}
        rowHeight={rowHeight}
        active={active}
        chosen={ui.choices.value}
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
