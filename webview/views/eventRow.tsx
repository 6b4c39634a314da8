import type { VNode } from "preact";
import { kindAt } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { markPieces, markSubject, outcomePieces, outcomeWords } from "../../src/words/outcomeTexts.js";
import type { EventItem } from "../lib/eventIndex.js";
import { useApp } from "../state/app.js";
import { onSecondClick } from "../ui/dom.js";
import { GlyphIcon } from "../ui/icons.js";
import { GridCell, GridRow } from "../ui/virtualRows.js";
import { type Glyph, menuOf, toolOf } from "../words/facts.js";
import { type Subject, subjectOf } from "../words/subject.js";
import { callNumber, callText, fill, grouped, type Piece, plain, strings } from "../words/text.js";
import { Sentence } from "./callLink.js";

interface Around {
  /** The session's folder: files are named from there. */
  readonly project: string;
  readonly capacity: number;
  /** The characters of the largest result. */
  readonly largest: number;
}

interface EventRowProps extends Around {
  readonly id: string;
  readonly index: number;
  readonly item: EventItem;
  readonly context: LiveContext;
  readonly selected: boolean;
  readonly onPick: (item: EventItem) => void;
  /** Told how long the outcome is, in characters: its column is as wide as what is in it. */
  readonly outcomeIs: (characters: number) => void;
}

interface Cells {
  readonly glyph: Glyph;
  readonly title: string;
  readonly number: string;
  readonly tool: string;
  readonly subject: Subject;
  readonly tokens: string;
  readonly weight: number;
  readonly outcome: readonly Piece[];
}

export function EventRow(props: EventRowProps): VNode {
  const { id, index, item, context, selected, project, capacity, largest, onPick, outcomeIs } = props;
  const { actions } = useApp();
  const isMark = "mark" in item && context.marks[item.mark]?.kind !== "invalidate";
  const cells =
    "row" in item
      ? resultCells(context, item.row, { project, capacity, largest })
      : markCells(context, item.mark, project);
  const { name, range, folder, whole } = cells.subject;
  outcomeIs(plain(cells.outcome).length);
  return (
    <GridRow
      id={id}
      class={`event-row event-${cells.glyph}${isMark ? " event-mark" : ""}${selected ? " selected" : ""}`}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-vscode-context={"row" in item ? menuOf(context.rows, item.row) : undefined}
      onContextMenu={() => onPick(item)}
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
      <GridCell class="cell-tool" title={cells.tool}>
        {cells.tool}
      </GridCell>
      <GridCell class="cell-target" title={whole}>
        <bdi class={folder === "" && range === "" ? "target-name" : "target-name is-file"}>{name}</bdi>
        {range !== "" && <span class="target-range"> {range}</span>}
        {folder !== "" && <bdi class="target-folder"> {folder}</bdi>}
      </GridCell>
      <GridCell
        class="cell-tokens"
        aria-label={cells.tokens === "" ? undefined : fill(strings.figures.tokens, { value: cells.tokens })}
        style={{ "--weight": `${cells.weight}%` }}
      >
        {cells.tokens}
      </GridCell>
      <GridCell class="cell-outcome" title={plain(cells.outcome)}>
        <Sentence of={cells.outcome} inList />
      </GridCell>
    </GridRow>
  );
}

function resultCells(context: LiveContext, row: number, { project, capacity, largest }: Around): Cells {
  const chars = context.rows.get(row, "chars");
  return {
    glyph: kindAt(context.rows, row),
    title: outcomeWords(context.rows, row).title,
    number: callNumber(row),
    tool: shortTool(toolOf(context, row)),
    subject: subjectOf(context, row, project),
    tokens: grouped(Math.round(chars / context.calibration.charsPerToken)),
    // The square root: the largest result would make all others vanish.
    weight: Math.round(100 * Math.sqrt(chars / largest)),
    outcome: outcomePieces(context.rows, row, { capacity, sources: context.sources }),
  };
}

function markCells(context: LiveContext, index: number, project: string): Cells {
  const mark = context.marks[index];
  const nothing = { number: "", tokens: "", weight: 0 };
  const named = (name: string): Subject => ({ name, range: "", folder: "", whole: name });
  if (mark === undefined) return { ...nothing, glyph: "bypass", title: "", tool: "", subject: named(""), outcome: [] };
  const edit = mark.kind === "invalidate" && mark.position < context.rows.length;
  return {
    ...nothing,
    glyph: mark.kind,
    title: strings.marks[mark.kind].title,
    tool: edit ? shortTool(toolOf(context, mark.position)) : "",
    subject: edit ? subjectOf(context, mark.position, project) : named(markSubject(mark)),
    outcome: markPieces(mark),
  };
}

/** mcp__server__tool → the tool's own name. */
export function shortTool(tool: string): string {
  return tool.startsWith("mcp__") ? (tool.split("__").at(-1) ?? tool) : tool;
}
