import { emptyFigures, type Figures, repeats, rounded } from "../../src/inspect/figures.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { markSubject } from "../../src/words/outcomeTexts.js";
import { fill, strings } from "./pageText.js";

export interface PartitionRow {
  readonly name: string;
  readonly figures: Figures;
  readonly repeats: number;
  /** What it saved, relative to the partition that saved the most. */
  readonly share: number;
  /** What ended it, or that it is in progress. */
  readonly ended: string;
}

export function partitionRow(
  context: LiveContext,
  partitions: readonly Figures[],
  index: number,
  live: boolean,
): PartitionRow {
  const figures = partitions[index] ?? emptyFigures();
  const most = partitions.reduce((largest, { savedTokens }) => Math.max(largest, savedTokens), 0);
  // A boundary carries the number of the partition that it begins.
  const end = context.marks.find(mark => mark.kind === "boundary" && mark.partition === index + 1);
  const isLast = index === context.partitionRequests.length - 1;
  const { inProgress, notEnded } = strings.partitions;
  return {
    name: fill(strings.bar.partitionNumber, { number: index }),
    figures: rounded(figures),
    repeats: repeats(figures),
    share: most === 0 ? 0 : figures.savedTokens / most,
    ended: end ? markSubject(end) : isLast && live ? inProgress : notEnded,
  };
}
