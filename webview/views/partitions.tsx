import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { movedIndex } from "../lib/movedIndex.js";
import { useApp } from "../state/app.js";
import type { TimelineHandle } from "../timeline/types.js";
import { useWidth } from "../ui/hooks.js";
import { GridCell, GridRow, VirtualGrid } from "../ui/virtualRows.js";
import { fill, grouped, percent, plural, short, strings } from "../words/pageText.js";
import { type PartitionRow, partitionRow } from "../words/partitionRows.js";

const ROW_HEIGHT = 24;
const NARROW_ROW_HEIGHT = 42;
/** Below this width the columns do not fit: each partition takes two lines instead. */
const NARROW = 500;

interface PartitionsProps {
  readonly timeline: { readonly current: TimelineHandle | null };
}

/** A row for each partition, from one compaction to the next. */
export function Partitions({ timeline }: PartitionsProps): VNode {
  const { store, figures, ui, live } = useApp();
  const [chosen, setChosen] = useState({ index: -1 });
  const active = chosen.index;
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useWidth(frame) < NARROW;
  const text = strings.partitions;
  const { context } = store;
  // Not while rows are rendered: that would only re-render the list, which reuses its rows.
  const shown = ui.partition.value;
  const count = figures.value?.partitions.length ?? 0;
  const rowHeight = narrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const show = (index: number) => {
    setChosen({ index });
    timeline.current?.showPartition(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedIndex(event.key, active, count, 10);
    if (to !== undefined) setChosen({ index: to });
    else if ((event.key === "Enter" || event.key === " ") && active >= 0) show(active);
    else if (event.key === "Escape") timeline.current?.fitAll();
    else return;
    event.preventDefault();
  };
  return (
    <div class={narrow ? "partitions narrow" : "partitions"} ref={frame}>
      <VirtualGrid
        count={count}
        rowHeight={rowHeight}
        active={active}
        chosen={chosen}
        name="partition"
        label={text.label}
        onKeyDown={onKeyDown}
        renderRow={(index, id) => {
          if (context === null) return null;
          const row = partitionRow(context, figures.value?.partitions ?? [], index, live.value);
          return (
            <GridRow
              key={index}
              id={id}
              class={rowClass(index === active, index === shown)}
              aria-rowindex={index + 1}
              aria-selected={index === shown}
              title={text.show}
              style={{ height: `${rowHeight}px` }}
              onClick={() => show(index)}
            >
              {narrow ? <NarrowCells row={row} /> : <Cells row={row} />}
            </GridRow>
          );
        }}
      />
      {!narrow && <Heads />}
      <p class="partition-about muted">{text.about}</p>
    </div>
  );
}

const rowClass = (active: boolean, shown: boolean) =>
  `partition-row${active ? " selected" : ""}${shown ? " is-shown" : ""}`;

/** Placed above the list by the grid; rows repeat the names for screen readers. */
function Heads(): VNode {
  const { columns, partitions: text } = strings;
  return (
    <div class="partition-row partition-heads" aria-hidden="true">
      <span>{text.partition}</span>
      <span class="number">{columns.results}</span>
      <span class="number">{columns.repeats}</span>
      <span class="number">{columns.tokens}</span>
      <span class="number">{columns.saved}</span>
      <span class="number">{columns.ofTokens}</span>
      <span class="number" title={text.invalidations}>
        {text.invalidationsShort}
      </span>
      <span>{text.ended}</span>
    </div>
  );
}

function Cells({ row }: { readonly row: PartitionRow }): VNode {
  const { figures, repeats } = row;
  const { columns, partitions: text } = strings;
  const cell = (label: string, value: string, name = "number", weight = 0) => (
    <GridCell class={name} aria-label={`${label}: ${value}`} style={{ "--weight": `${100 * weight}%` }}>
      {value}
    </GridCell>
  );
  return (
    <>
      <GridCell class="partition-name">{row.name}</GridCell>
      {cell(columns.results, grouped(figures.results))}
      {cell(columns.repeats, grouped(repeats))}

      {cell(columns.tokens, short(figures.tokens))}
      {cell(columns.saved, short(figures.savedTokens), "number saved", row.share)}
      {cell(columns.ofTokens, percent(figures.savedTokens, figures.tokens))}
      {cell(text.invalidations, grouped(figures.invalidations))}
      <GridCell class="ended" title={row.ended} aria-label={`${text.ended}: ${row.ended}`}>
        {row.ended}
      </GridCell>
    </>
  );
}

function NarrowCells({ row }: { readonly row: PartitionRow }): VNode {
  const { figures, repeats } = row;
  return (
    <>
      <GridCell class="session-line">
        <span class="partition-name session-title">{row.name}</span>
        <span class="saved">{fill(strings.partitions.couldSave, { tokens: short(figures.savedTokens) })}</span>
      </GridCell>
      <GridCell class="session-line muted">
        {fill(plural(strings.partitions.brief, repeats), {
          repeats: grouped(repeats),
          results: grouped(figures.results),
          tokens: short(figures.tokens),
          ended: row.ended,
        })}
      </GridCell>
    </>
  );
}
