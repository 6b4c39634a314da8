import { HINT_TRAITS } from "../inspect/hintShares.js";
import type { Report } from "../inspect/report.js";
import type { TrialReport } from "../inspect/trialReport.js";
import { percent } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { capitalized } from "../words/text.js";
import { hintShareName, measureDifference, measureFigure, measureFinding, trialBasis } from "../words/trialTexts.js";
import type { Column, TitledTable } from "./textTable.js";

const text = strings.trial;

const MEASURE_COLUMNS: readonly Column[] = [
  { title: text.measure },
  { title: text.withHints, align: "right", dropOrder: 1 },
  { title: text.without, align: "right", dropOrder: 2 },
  { title: text.difference, align: "right" },
  { title: text.finding },
];

const HINT_COLUMNS: readonly Column[] = [
  { title: text.trait, shrinks: true },
  { title: text.given, align: "right" },
  { title: text.askedAgain, align: "right" },
  { title: "Share", align: "right" },
];

/** The two groups side by side, and which hints were asked for again. Empty if not requested. */
export function trialTables({ trial }: Pick<Report, "trial">): TitledTable[] {
  if (trial === undefined) return [];
  const rows = trial.measures.map(one => [
    text.measures[one.measure],
    measureFigure(one, "hints"),
    measureFigure(one, "control"),
    measureDifference(one),
    measureFinding(one),
  ]);
  const hints = HINT_TRAITS.flatMap(trait =>
    trial.hints
      .filter(({ by }) => by === trait)
      .map((share, index) => [
        index === 0 ? `${capitalized(text.traits[trait])}: ${hintShareName(share)}` : `  ${hintShareName(share)}`,
        String(share.hints),
        String(share.asked),
        percent(share.asked, share.hints),
      ]),
  );
  const basis = trialBasis(trial);
  const words = trial.since === null ? { rest: basis } : { note: basis, rest: conclusionOf(trial) };
  return [
    { title: text.title, ...words, columns: MEASURE_COLUMNS, rows },
    ...(hints.length === 0 ? [] : [{ title: text.asked, note: text.askedAbout, columns: HINT_COLUMNS, rows: hints }]),
  ];
}

/** The overall finding, and how certain it is. */
function conclusionOf({ verdict }: TrialReport): string {
  return `${text.verdicts[verdict]} ${text.about}`;
}
