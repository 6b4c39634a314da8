import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { SweepPoint } from "../../src/inspect/sweepFigures.js";
import { adviceText } from "../../src/words/adviceText.js";
import { useApp } from "../state/app.js";
import type { Ui } from "../state/ui.js";
import { useFocusLeaving } from "../ui/hooks.js";
import { Icon } from "../ui/icons.js";
import { Button } from "../ui/kit.js";
import { counted, fill, grouped, percent, short, strings, tokensText } from "../words/pageText.js";
import { CapacityChart } from "./capacityChart.js";

/** What caches of other sizes would save, and the recommended one. */
export function Capacities({ sweep }: { readonly sweep: readonly SweepPoint[] }): VNode | null {
  const { store, actions, ui } = useApp();
  const [picked, setPicked] = useState<number | null>(null);
  const present = store.members?.settings.capacity;
  if (present === undefined) return null;
  const { sentence, capacity: advised } = adviceText(sweep, present);
  const candidate = picked ?? advised ?? present;
  const point = sweep.find(({ capacity }) => capacity === candidate);
  const text = strings.whatIf;
  const used = ui.used.value;
  // An empty chart is useless.
  if (sweep.at(-1)?.savedTokens === 0) return <p class="advice">{sentence}</p>;
  return (
    <>
      {used !== null && used.capacity === present && <Used {...used} />}
      <p class="advice">{sentence}</p>
      <div class="what-if-actions">
        <Button
          primary={candidate !== present}
          disabled={candidate === present}
          label={candidate === present ? text.inUse : fill(text.use, { capacity: candidate })}
          onClick={() => {
            // Show the next recommendation.
            setPicked(null);
            actions.useCapacity(candidate);
          }}
        />
        {point && (
          <span class="muted">
            {fill(text.picked, {
              capacity: candidate,
              saved: tokensText(point.savedTokens),
              hits: counted(strings.counts.hits, point.hits),
            })}
          </span>
        )}
      </div>
      <CapacityChart sweep={sweep} present={present} advised={advised} picked={candidate} onPick={setPicked} />
      <details class="by-capacity">
        <summary>{text.allCapacities}</summary>
        <SweepTable sweep={sweep} present={present} advised={advised} picked={candidate} onPick={setPicked} />
      </details>
    </>
  );
}

function Used(used: NonNullable<Ui["used"]["value"]>): VNode {
  const { actions } = useApp();
  const text = strings.whatIf;
  const line = useFocusLeaving<HTMLParagraphElement>(() =>
    document.querySelector<HTMLElement>(".what-if-actions vscode-button")?.focus(),
  );
  return (
    <p class="used" ref={line}>
      <Icon name="check" />
      {fill(text.used, used)}
      <Button label={text.undo} onClick={() => actions.undoCapacity()} />
    </p>
  );
}

export interface SweepViewProps {
  readonly sweep: readonly SweepPoint[];
  readonly present: number;
  readonly advised: number | null;
  readonly picked: number;
  readonly onPick: (capacity: number) => void;
}

/** The chart's numbers, for users who cannot see it and for those who want exact ones. */
function SweepTable({ sweep, present, advised, picked, onPick }: SweepViewProps): VNode {
  const text = strings.whatIf;
  const max = sweep.at(-1)?.savedTokens ?? 0;
  return (
    <table class="sweep-table">
      <caption class="unseen">{text.chart}</caption>
      <thead>
        <tr>
          <th scope="col">{text.capacity}</th>
          <th scope="col">{strings.columns.hits}</th>
          <th scope="col">{strings.columns.saved}</th>
          <th scope="col">{text.share}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {sweep.map(({ capacity, hits, savedTokens }) => (
          <tr key={String(capacity)} class={capacity === picked ? "is-picked" : undefined}>
            <th scope="row">
              {capacity === null ? (
                text.unbounded
              ) : (
                <button type="button" class="link" aria-pressed={capacity === picked} onClick={() => onPick(capacity)}>
                  {capacity}
                </button>
              )}
            </th>
            <td>{grouped(hits)}</td>
            <td>{short(savedTokens)}</td>
            <td>{percent(savedTokens, max)}</td>
            <td>
              {[capacity === present && text.present, capacity === advised && text.advised].filter(Boolean).join(" · ")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
