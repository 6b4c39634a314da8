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
  const headings = [text.measure, text.withHints, text.without, text.difference, text.finding];
  return (
    <table class="figures-table">
      <caption class="unseen">{text.title}</caption>
      <thead>
        <tr>
          {headings.map(heading => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {of.measures.map(one => (
          <tr key={one.measure}>
            <th scope="row">{text.measures[one.measure]}</th>
            <td>{measureFigure(one, "hints")}</td>
            <td>{measureFigure(one, "control")}</td>
            <td>{measureDifference(one)}</td>
            <td>{measureFinding(one)}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
  const shares = of.hints.filter(({ by }) => by === trait);
  return (
    <table class="figures-table">
      <thead>
        <tr>
          <th scope="col">{`${text.trait} ${text.traits[trait]}`}</th>
          <th scope="col">{text.given}</th>
          <th scope="col">{text.askedAgain}</th>
        </tr>
      </thead>
      <tbody>
        {shares.map(share => (
          <tr key={share.name}>
            <th scope="row">{hintShareName(share)}</th>
            <td>{grouped(share.hints)}</td>
            <td class="barred" style={{ "--weight": `${(100 * share.asked) / share.hints}%` }}>
              {percent(share.asked, share.hints)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
