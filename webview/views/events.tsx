import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { callMenu } from "../../src/protocol/contextMenu.js";
import type { EventItem } from "../lib/eventIndex.js";
import { isFiltering } from "../lib/filter.js";
import { movedIndex } from "../lib/movedIndex.js";
import { useApp } from "../state/app.js";
import { IconButton } from "../ui/iconButton.js";
import { VirtualGrid } from "../ui/virtualRows.js";
import { strings } from "../words/text.js";
import { EventRow } from "./eventRow.js";
import { FilterBar } from "./filterBar.js";

const ROW_HEIGHT = 22;

/** Everything that happened, one line each, in order. */
export function Events(): VNode {
  const { events, ui, actions, store, live } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const list = events.value;
  const context = store.context;
  const text = strings.events;
  const selection = ui.selection.value;
  const place = selection && list ? list.find(selection) : { index: -1, found: false };
  const active = place.found ? place.index : -1;
  const count = list?.length ?? 0;
  const largest = useLargest();

  const pick = (item: EventItem | undefined) => {
    if (item === undefined) return;
    if ("row" in item) actions.select(item.row);
    else actions.selectMark(item.mark);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1);
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
    <div class="events">
      <FilterBar />
      {count === 0 && <p class="nothing">{isFiltering(ui.filter.value) ? text.noneMatch : text.none}</p>}
      {/* Always rendered, so that nothing moves when it is filled. */}
      <VirtualGrid
        count={count}
        rowHeight={ROW_HEIGHT}
        active={active}
        sticksToEnd={live.value && active === -1}
        onAtEnd={setAtEnd}
        scroller={scroller}
        name="event"
        label={text.label}
        onKeyDown={onKeyDown}
        menu={active >= 0 && selection && "row" in selection ? callMenu(selection.row) : undefined}
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
              largest={largest}
              onPick={pick}
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
              if (scroller.current) scroller.current.scrollTop = count * ROW_HEIGHT;
            }}
          />
        </div>
      )}
    </div>
  );
}

/** The characters of the largest result: the bars behind the tokens are relative to it. */
function useLargest(): number {
  const { store } = useApp();
  const seen = useRef({ rows: 0, largest: 1, of: store.context });
  const { context } = store;
  if (seen.current.of !== context) seen.current = { rows: 0, largest: 1, of: context };
  const memo = seen.current;
  if (context === null) return 1;
  for (; memo.rows < context.rows.length; memo.rows++) {
    memo.largest = Math.max(memo.largest, context.rows.get(memo.rows, "chars"));
  }
  return memo.largest;
}
