import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { RunStrategy } from "../../src/inspect/strategies.js";
import { type DiffRow, type DiffSide, diffLines } from "../lib/diff.js";
import { useWidth } from "../ui/hooks.js";
import { GridRow, TableCell, VirtualRows } from "../ui/virtualRows.js";
import { counted, fill, strings, visible } from "../words/pageText.js";
import { OverlayFrame, useAnswer } from "./overlay.js";

const ROW_HEIGHT = 20;
const LONGEST_LINE = 1000;
/** Below this width there is no room for two texts side by side. */
const NARROW = 560;

interface CompareProps {
  readonly of: { readonly row: number; readonly strategy?: RunStrategy };
}

/** A result beside the one it refers to, line by line. */
export function Compare({ of: { row, strategy } }: CompareProps): VNode {
  const text = strings.compare;
  const answer = useAnswer({ method: "compare", row, ...(strategy && { strategy }) }, strings.details.cannotCompare);
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useWidth(frame) < NARROW;
  const texts = !answer || answer instanceof Error ? null : answer;
  const diff = useMemo(() => texts && diffLines(texts.left.text, texts.right.text), [texts]);
  const rows = useMemo(() => (diff === null ? [] : narrow ? oneColumn(diff.rows) : diff.rows), [diff, narrow]);
  const summary =
    diff === null
      ? undefined
      : diff.removed + diff.added === 0
        ? text.identical
        : `${fill(text.differ, { removed: counted(text.removed, diff.removed), added: counted(text.added, diff.added) })}${
            diff.coarse ? ` ${text.coarse}` : ""
          }`;
  return (
    <OverlayFrame label={text.label} summary={summary}>
      <div class={narrow ? "compare narrow" : "compare"} ref={frame}>
        {texts === null ? (
          <p class="nothing">{answer instanceof Error ? answer.message : text.loading}</p>
        ) : (
          <>
            <div class="compare-heads">
              <span>
                <bdi>{visible(texts.left.title, 200)}</bdi>
              </span>
              <span>
                <bdi>{visible(texts.right.title, 200)}</bdi>
              </span>
            </div>
            <VirtualRows
              count={rows.length}
              rowHeight={ROW_HEIGHT}
              active={-1}
              attributes={{
                class: "compare-lines",
                role: "table",
                tabIndex: 0,
                "aria-label": text.label,
                "aria-rowcount": rows.length,
              }}
              renderRow={index => <CompareRow key={index} index={index} row={rows[index] as DiffRow} narrow={narrow} />}
            />
          </>
        )}
      </div>
    </OverlayFrame>
  );
}

function CompareRow({ row, index, narrow }: { row: DiffRow; index: number; narrow: boolean }): VNode {
  const text = strings.compare;
  const changed = row.kind === "changed";
  const cell = (side: DiffSide | null, isLeft: boolean) => (
    <TableCell
      class={`compare-line${side === null ? " missing" : changed ? (isLeft ? " removed" : " added") : ""}`}
      aria-label={side === null ? text.missing : undefined}
    >
      {side !== null && (
        <>
          <span class="line-number">{side.number}</span>
          <span class="line-sign" title={changed ? (isLeft ? text.onlyLeft : text.onlyRight) : text.same}>
            {changed ? (isLeft ? "−" : "+") : " "}
          </span>
          <span class="line-text">{visible(side.text, LONGEST_LINE)}</span>
        </>
      )}
    </TableCell>
  );
  return (
    <GridRow class="compare-row" aria-rowindex={index + 1}>
      {narrow ? cell(row.left ?? row.right, row.left !== null) : [cell(row.left, true), cell(row.right, false)]}
    </GridRow>
  );
}

/** Left lines above right ones, if they do not fit side by side. */
function oneColumn(rows: readonly DiffRow[]): DiffRow[] {
  const result: DiffRow[] = [];
  let waiting: DiffRow[] = [];
  for (const row of rows) {
    if (row.kind === "changed") {
      if (row.left) result.push({ ...row, right: null });
      if (row.right) waiting.push({ ...row, left: null });
      continue;
    }
    // One by one: all at once could overflow the stack.
    for (const right of [...waiting, row]) result.push(right);
    waiting = [];
  }
  return [...result, ...waiting];
}
