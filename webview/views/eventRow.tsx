/** The columns of the list of events: the cells of a row, the headings and the widths. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { kindAt } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { markPieces, markSubject, outcomePieces, outcomeWords } from "../../src/words/outcomeTexts.js";
import type { EventItem } from "../lib/eventIndex.js";
import { useApp } from "../state/app.js";
import { familyOf } from "../timeline/model/families.js";
import { onSecondClick } from "../ui/dom.js";
import { GlyphIcon } from "../ui/icons.js";
import { GridCell, GridRow } from "../ui/virtualRows.js";
import { type Glyph, menuOf, toolOf } from "../words/callFacts.js";
import { callNumber, callText, counted, grouped, type Piece, plain, strings } from "../words/pageText.js";
import { nameLength, type Subject, subjectOf } from "../words/subject.js";
import { Sentence } from "./callLink.js";

interface Around {
  /** The session's folder: paths are shown relative to it. */
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
  /** Receives the length of the outcome, in characters: its column is as wide as its content. */
  readonly outcomeIs: (characters: number) => void;
}

interface Cells {
  readonly glyph: Glyph;
  readonly title: string;
  readonly number: string;
  readonly tool: string;
  readonly subject: Subject;
  /** Of a result. */
  readonly tokens?: number;
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
  const { tokens } = cells;
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
        // Ignore the second click of a double click that started elsewhere, such as on a link.
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
        aria-label={tokens === undefined ? undefined : counted(strings.counts.tokens, tokens)}
        style={{ "--weight": `${cells.weight}%` }}
      >
        {tokens !== undefined && grouped(tokens)}
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
    tokens: Math.round(chars / context.calibration.charsPerToken),
    // The square root: otherwise the largest result would make all others vanish.
    weight: Math.round(100 * Math.sqrt(chars / largest)),
    outcome: outcomePieces(context.rows, row, { capacity, sources: context.sources }),
  };
}

function markCells(context: LiveContext, index: number, project: string): Cells {
  const mark = context.marks[index];
  const nothing = { number: "", weight: 0 };
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
function shortTool(tool: string): string {
  return familyOf(tool) === "mcp" ? (tool.split("__").at(-1) ?? tool) : tool;
}

/** The column names, for sighted users: rows repeat them for screen readers. */
export function EventHeads({ button }: { readonly button: VNode | false }): VNode {
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

/** Names longer than this share the space with the rest of their row. */
const MAX_TOOL = 13;
const MAX_NAME = 40;
const MAX_OUTCOME = 34;

/**
 * Columns as wide as their content. All rows share them, so they are set on the table. An outcome's length is only
 * known once its row is shown: that column only ever grows, so that nothing moves back and forth while scrolling.
 */
export function useColumns() {
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
    // Letters may be wider than the digit on which the unit is based, and the folder needs a gap.
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
