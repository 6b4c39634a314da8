import type { VNode } from "preact";
import { HINT_TRAITS, type HintTrait } from "../../src/inspect/hintShares.js";
import type { TrialReport } from "../../src/inspect/trialReport.js";
import {
  hintShareName,
  measureDifference,
  measureFigure,
  measureFinding,
  trialBasis,
} from "../../src/words/trialTexts.js";
import { FiguresTable } from "../ui/figuresTable.js";
import { grouped, percent, strings } from "../words/pageText.js";

/** What live hints do to sessions: the two groups of a trial, and which hinted texts models asked for again. */
export function Trial({ of }: { readonly of: TrialReport }): VNode {
  const text = strings.trial;
  return (
    <section class="what-if-part trial">
      <h2>{text.title}</h2>
      <p class="muted note">{trialBasis(of)}</p>
      {of.measures.length > 0 && (
        <>
          <p class="note">{text.verdicts[of.verdict]}</p>
          <Measures of={of} />
          <p class="muted note">{text.about}</p>
        </>
      )}
      {of.hints.length > 0 && <Asked of={of} />}
    </section>
  );
}

function Measures({ of }: { readonly of: TrialReport }): VNode {
  const text = strings.trial;
  return (
    <FiguresTable
      caption={text.title}
      rows={of.measures}
      keyOf={({ measure }) => measure}
      columns={[
        { head: text.measure, cell: ({ measure }) => text.measures[measure] },
        { head: text.withHints, cell: one => measureFigure(one, "hints") },
        { head: text.without, cell: one => measureFigure(one, "control") },
        { head: text.difference, cell: measureDifference },
        { head: text.finding, cell: measureFinding },
      ]}
    />
  );
}

function Asked({ of }: { readonly of: TrialReport }): VNode {
  const text = strings.trial;
  return (
    <details class="asked-again">
      <summary>{text.asked}</summary>
      <p class="muted note">{text.askedAbout}</p>
      {HINT_TRAITS.map(trait => (
        <AskedBy key={trait} trait={trait} of={of} />
      ))}
    </details>
  );
}

function AskedBy({ trait, of }: { readonly trait: HintTrait; readonly of: TrialReport }): VNode {
  const text = strings.trial;
  return (
    <FiguresTable
      rows={of.hints.filter(({ by }) => by === trait)}
      keyOf={({ name }) => name}
      columns={[
        { head: `${text.trait} ${text.traits[trait]}`, cell: hintShareName },
        { head: text.given, cell: ({ hints }) => grouped(hints) },
        {
          head: text.askedAgain,
          cell: ({ asked, hints }) => percent(asked, hints),
          bar: ({ asked, hints }) => asked / hints,
        },
      ]}
    />
  );
}
