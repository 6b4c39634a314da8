import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { PartitionPasses } from "../../src/inspect/passFigures.js";
import { FiguresTable } from "../ui/figuresTable.js";
import { useWidth } from "../ui/hooks.js";
import { counted, fill, grouped, percent, short, strings } from "../words/pageText.js";
import { type PassText, passTexts, slightPasses } from "../words/passTexts.js";

/** Below this width the columns do not fit, and each pass takes three lines. */
const NARROW = 640;

/** What rewriting the history would free, and what it would cost. */
export function Passes({ of }: { readonly of: PartitionPasses }): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useWidth(frame) < NARROW;
  const text = strings.whatIf;
  const rows = passTexts(of.passes);
  const slight = slightPasses(of.passes);
  return (
    <div ref={frame}>
      <p class="muted note">{fill(text.passesAbout, { messages: counted(strings.counts.messages, of.messages) })}</p>
      {rows.length > 0 && (narrow ? <NarrowRows rows={rows} /> : <Rows rows={rows} />)}
      {slight !== "" && <p class="muted note">{slight}</p>}
      <CacheMarks of={of.cacheMarks} />
      <p class="muted note">{cacheText(of)}</p>
    </div>
  );
}

/** Where marks for the prompt cache would be set, and what they would cover. */
function CacheMarks({ of }: { readonly of: PartitionPasses["cacheMarks"] }): VNode {
  const text = strings.whatIf;
  const last = of.marks.at(-1);
  const tokens = (value: number | null) => (value === null ? strings.app.unknown : short(value));
  const marks =
    last === undefined ? "" : fill(text.marksAt, { n: grouped(of.marks.length), message: grouped(last + 1) });
  const facts = [
    [text.breakpoints, grouped(of.breakpoints.length)],
    [text.marks, marks],
    [text.eligible, grouped(of.eligibleResults)],
    [text.markedTokens, tokens(of.markedTokens)],
    [text.readTokens, tokens(of.readTokens)],
  ];
  return (
    <section class="cache-marks">
      <h3>{text.marksTitle}</h3>
      <p class="muted note">{of.unmarked === null ? text.marksAbout : text.unmarkedWhy[of.unmarked]}</p>
      {of.applied && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function cacheText({ cacheMarks }: PartitionPasses): string {
  const { couldReadTokens: could, didReadTokens: did, hits, requests } = cacheMarks;
  const text = strings.whatIf;
  if (could === null || did === null) return text.cacheUnknown;
  return fill(text.cacheUse, {
    did: short(did),
    could: short(could),
    share: percent(did, could),
    hits: String(hits),
    requests: counted(strings.counts.requests, requests),
  });
}

function Rows({ rows }: { readonly rows: readonly PassText[] }): VNode {
  const text = strings.whatIf;
  return (
    <FiguresTable
      caption={text.passes}
      rows={rows}
      keyOf={row => row.name}
      columns={[
        { head: text.pass, cell: row => row.name },
        { head: text.frees, cell: row => row.frees },
        { head: strings.columns.ofBytes, cell: row => row.ofBytes },
        { head: text.replacedByPass, about: text.replacedByPassAbout, cell: row => row.replaced },
        { head: text.changedByPass, about: text.changedByPassAbout, cell: row => row.changed },
        { head: text.countedByPass, about: text.countedByPassAbout, cell: row => row.counted },
        { head: text.rewritten, cell: row => row.rewritten },
        { head: text.paysOff, cell: row => row.paysOff },
      ]}
    />
  );
}

function NarrowRows({ rows }: { readonly rows: readonly PassText[] }): VNode {
  const text = strings.whatIf;
  return (
    <ul class="figures-list" aria-label={text.passes}>
      {rows.map(row => (
        <li key={row.name}>
          <div class="figures-line">
            <span>{row.name}</span>
            <span>{row.frees}</span>
          </div>
          <div class="muted">{row.brief}</div>
          <div class="muted">{row.own}</div>
        </li>
      ))}
    </ul>
  );
}
