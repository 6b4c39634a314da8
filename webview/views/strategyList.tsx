import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { type Strategy, strategyInForce } from "../../src/inspect/strategies.js";
import type { StrategyComparison } from "../../src/protocol/comparison.js";
import { type StrategyText, strategyTexts, uselessStrategies } from "../../src/words/strategyTexts.js";
import { useApp } from "../state/app.js";
import { FiguresTable } from "../ui/figuresTable.js";
import { useWidth } from "../ui/hooks.js";
import { fill, strings, visible } from "../words/pageText.js";

/** Below this width the columns do not fit, and each strategy takes two lines. */
const NARROW = 480;

interface StrategiesProps {
  readonly of: StrategyComparison;
  /** Clicking a name shows in the timeline what that strategy would save. */
  readonly choosable: boolean;
}

/** The strategies side by side; the current one is marked. */
export function Strategies({ of, choosable }: StrategiesProps): VNode {
  const { store, ui } = useApp();
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useWidth(frame) < NARROW;
  const text = strings.whatIf;
  const present = store.members && strategyInForce(store.members.settings);
  const shown = ui.strategy.value;
  const choose = (strategy: Strategy) => {
    ui.strategy.value = strategy === shown ? null : strategy;
  };
  const name = (row: StrategyText) => (
    <Name
      row={row}
      present={row.strategy === present}
      shown={choosable && row.strategy === shown}
      onChoose={choosable ? () => choose(row.strategy) : undefined}
    />
  );
  const rows = strategyTexts(of.strategies);
  return (
    <div ref={frame}>
      {narrow ? <NarrowRows rows={rows} name={name} /> : <Rows rows={rows} name={name} />}
      <p class="muted note">
        {[
          uselessStrategies(of.strategies),
          fill(text.worthOf, { prices: of.cost.prices }),
          of.cost.unpricedModels.length > 0 &&
            fill(text.unpriced, { models: visible(of.cost.unpricedModels.join(", "), 200) }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </div>
  );
}

interface NameProps {
  readonly row: StrategyText;
  readonly present: boolean;
  readonly shown: boolean;
  readonly onChoose: (() => void) | undefined;
}

function Name({ row, present, shown, onChoose }: NameProps): VNode {
  const text = strings.whatIf;
  return (
    <>
      {onChoose === undefined ? (
        row.name
      ) : (
        <button type="button" class="link" aria-pressed={shown} title={text.showInTimeline} onClick={onChoose}>
          {row.name}
        </button>
      )}
      {row.upperBound && <span class="badge">{strings.strategyLimits.upperBound}</span>}
      {present && <span class="badge">{text.now}</span>}
      {shown && <span class="badge">{text.inTimeline}</span>}
    </>
  );
}

interface RowsProps {
  readonly rows: readonly StrategyText[];
  readonly name: (row: StrategyText) => VNode;
}

function Rows({ rows, name }: RowsProps): VNode {
  const { columns, whatIf: text } = strings;
  return (
    <FiguresTable
      caption={text.strategies}
      rows={rows}
      keyOf={row => row.strategy}
      columns={[
        { head: text.strategy, cell: name },
        { head: columns.saved, cell: row => row.saved, bar: row => row.weight, isSaving: true },
        { head: columns.ofBytes, cell: row => row.ofBytes },
        { head: columns.results, cell: row => row.results },
        { head: columns.hints, cell: row => row.hints },
        { head: columns.carried, about: text.carriedAbout, cell: row => row.carried },
        { head: columns.worth, about: text.worthAbout, cell: row => row.worth },
      ]}
    />
  );
}

function NarrowRows({ rows, name }: RowsProps): VNode {
  return (
    <ul class="figures-list" aria-label={strings.whatIf.strategies}>
      {rows.map(row => (
        <li key={row.strategy}>
          <div class="figures-line">
            <span>{name(row)}</span>
            <span class="barred saved" style={{ "--weight": `${100 * row.weight}%` }}>
              {row.saved}
            </span>
          </div>
          <div class="muted">{row.brief}</div>
        </li>
      ))}
    </ul>
  );
}
