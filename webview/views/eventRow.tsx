import type { VNode } from "preact";
import { kindAt } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { callMenu } from "../../src/protocol/contextMenu.js";
import { markPieces, markSubject, outcomePieces, outcomeWords } from "../../src/words/outcomeTexts.js";
import type { EventItem } from "../lib/eventIndex.js";
import { useApp } from "../state/app.js";
import { onSecondClick } from "../ui/dom.js";
import { GlyphIcon } from "../ui/icons.js";
import { GridCell, GridRow } from "../ui/virtualRows.js";
import { type Glyph, toolOf } from "../words/facts.js";
import { callNumber, callText, fill, grouped, type Piece, strings, visible } from "../words/text.js";
import { Sentence } from "./callLink.js";

interface EventRowProps {
  readonly id: string;
  readonly index: number;
  readonly item: EventItem;
  readonly context: LiveContext;
  readonly selected: boolean;
  readonly largest: number;
  readonly onPick: (item: EventItem) => void;
}

interface Cells {
  readonly glyph: Glyph;
  readonly title: string;
  readonly number: string;
  readonly tool: string;
  readonly target: string;
  readonly tokens: string;
  readonly weight: number;
  readonly outcome: readonly Piece[];
}

export function EventRow({ id, index, item, context, selected, largest, onPick }: EventRowProps): VNode {
  const { store, actions } = useApp();
  const capacity = store.peek()?.settings.capacity ?? 0;
  const isMark = "mark" in item && context.marks[item.mark]?.kind !== "invalidate";
  const cells = "row" in item ? resultCells(context, item.row, capacity, largest) : markCells(context, item.mark);
  return (
    <GridRow
      id={id}
      class={`event-row event-${cells.glyph}${isMark ? " event-mark" : ""}${selected ? " selected" : ""}`}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-vscode-context={"row" in item ? callMenu(item.row) : undefined}
      onClick={event => {
        // The second click of a double click elsewhere, such as on a link, is ignored.
        if (event.detail > 1) return;
        onPick(item);
        if ("row" in item) onSecondClick(() => actions.openCall(item.row));
      }}
    >
      <GridCell class="cell-glyph" aria-label={cells.title} title={cells.title}>
        <GlyphIcon glyph={cells.glyph} />
      </GridCell>
      <GridCell class="cell-number" aria-label={"row" in item ? callText(item.row) : undefined}>
        {cells.number}
      </GridCell>
      <GridCell class="cell-tool">{cells.tool}</GridCell>
      <GridCell class="cell-target" title={cells.target}>
        {cells.target}
      </GridCell>
      <GridCell
        class="cell-tokens"
        aria-label={cells.tokens === "" ? undefined : fill(strings.figures.tokens, { value: cells.tokens })}
        style={{ "--weight": `${cells.weight}%` }}
      >
        {cells.tokens}
      </GridCell>
      <GridCell class="cell-outcome">
        <Sentence of={cells.outcome} inList />
      </GridCell>
    </GridRow>
  );
}

function resultCells(context: LiveContext, row: number, capacity: number, largest: number): Cells {
  const chars = context.rows.get(row, "chars");
  return {
    glyph: kindAt(context.rows, row),
    title: outcomeWords(context.rows, row).title,
    number: callNumber(row),
    tool: shortTool(toolOf(context, row)),
    target: visible(context.targets[row] ?? "", 300),
    tokens: grouped(Math.round(chars / context.calibration.charsPerToken)),
    // The square root: the largest result would make all others vanish.
    weight: Math.round(100 * Math.sqrt(chars / largest)),
    outcome: outcomePieces(context.rows, row, { capacity, sources: context.sources }),
  };
}

function markCells(context: LiveContext, index: number): Cells {
  const mark = context.marks[index];
  const nothing = { number: "", tokens: "", weight: 0 };
  if (mark === undefined) return { ...nothing, glyph: "bypass", title: "", tool: "", target: "", outcome: [] };
  const edit = mark.kind === "invalidate" && mark.position < context.rows.length;
  return {
    ...nothing,
    glyph: mark.kind,
    title: strings.marks[mark.kind].title,
    tool: edit ? shortTool(toolOf(context, mark.position)) : "",
    target: edit ? visible(context.targets[mark.position] ?? "", 300) : markSubject(mark),
    outcome: markPieces(mark),
  };
}

/** mcp__server__tool → the tool's own name. */
function shortTool(tool: string): string {
  return tool.startsWith("mcp__") ? (tool.split("__").at(-1) ?? tool) : tool;
}
