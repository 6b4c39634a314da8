import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { PartitionPasses } from "../../src/inspect/passFigures.js";
import { useWidth } from "../ui/hooks.js";
import { type PassText, passText } from "../words/strategyTexts.js";
import { counted, fill, percent, short, strings } from "../words/text.js";

const NARROW = 480;

/** What rewriting the history would free, and what that would cost. */
export function Passes({ of }: { readonly of: PartitionPasses }): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useWidth(frame) < NARROW;
  const text = strings.whatIf;
  const rows = of.passes.map(passText);
  return (
    <div ref={frame}>
      <p class="muted note">{fill(text.passesAbout, { messages: counted(strings.counts.messages, of.messages) })}</p>
      {narrow ? <NarrowRows rows={rows} /> : <Rows rows={rows} />}
      <p class="muted note">{cacheText(of)}</p>
    </div>
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
    <table class="figures-table">
      <caption class="unseen">{text.passes}</caption>
      <thead>
        <tr>
          <th scope="col">{text.pass}</th>
          <th scope="col">{text.frees}</th>
          <th scope="col">{text.rewritten}</th>
          <th scope="col">{text.paysOff}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>{row.frees}</td>
            <td>{row.rewritten}</td>
            <td>{row.paysOff}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NarrowRows({ rows }: { readonly rows: readonly PassText[] }): VNode {
  const text = strings.whatIf;
  const labelled = (label: string, value: string) => `${label.toLowerCase()}: ${value}`;
  return (
    <ul class="figures-list" aria-label={text.passes}>
      {rows.map(row => (
        <li key={row.name}>
          <div class="figures-line">
            <span>{row.name}</span>
            <span>{row.frees}</span>
          </div>
          <div class="muted">
            {labelled(text.rewritten, row.rewritten)} · {labelled(text.paysOff, row.paysOff)}
          </div>
        </li>
      ))}
    </ul>
  );
}
