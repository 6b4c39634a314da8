import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { RunSizePoint } from "../../src/inspect/runSizes.js";
import type { FiguresByStrategy, StrategyFigures } from "../../src/inspect/strategyFigures.js";
import type { ContextComparison } from "../../src/protocol/comparison.js";
import { useApp } from "../state/app.js";
import { FiguresTable } from "../ui/figuresTable.js";
import { bytesText, grouped, short, strings } from "../words/pageText.js";
import { AllSessionsView } from "./allSessionsView.js";
import { Capacities } from "./capacities.js";
import { Failed } from "./failed.js";
import { Passes } from "./passes.js";
import { ScopeSwitch } from "./scopeSwitch.js";
import { Strategies } from "./strategyList.js";
import { Trial } from "./trial.js";

/** What other strategies, passes and capacities would save. */
export function WhatIf(): VNode {
  const { ui } = useApp();
  return (
    <div class="what-if">
      <ScopeSwitch />
      {ui.scope.value === "all" ? (
        <AllSessionsView>
          {report => (
            <>
              <Section title={strings.whatIf.strategies} about={strings.whatIf.strategiesAbout}>
                <Strategies of={report} choosable={false} />
              </Section>
              <RunSizes of={report.runSizes} />
              <Section title={strings.whatIf.capacityTitle}>
                <Capacities sweep={report.sweep} />
              </Section>
              {report.trial && <Trial of={report.trial} />}
            </>
          )}
        </AllSessionsView>
      ) : (
        <ThisConversation />
      )}
    </div>
  );
}

function ThisConversation(): VNode {
  const { comparison, figures } = useApp();
  const text = strings.whatIf;
  const { strategies, passes } = comparison;
  const sweep = figures.value?.sweep;
  const version = comparison.version.value;
  useEffect(() => comparison.wantAll(), [comparison, version]);
  const { value, problem, isOld } = strategies.state.value;
  const anyProblem = comparison.problem;
  const rewriting = passes.state.value.value;
  return (
    <>
      <Section title={text.strategies} about={text.strategiesAbout}>
        {value && (
          <div class={isOld ? "is-old" : undefined} aria-busy={isOld}>
            <Strategies of={value} choosable />
            {value.partitions.length > 1 && value.strategies.some(({ savedTokens }) => savedTokens > 0) && (
              <ByPartition of={value} />
            )}
          </div>
        )}
        {!value && problem === undefined && <p class="muted">{text.comparing}</p>}
        {anyProblem !== undefined && (
          <Failed what={text.cannotCompare} why={anyProblem} onRetry={() => comparison.retry()} />
        )}
      </Section>
      {value && <RunSizes of={value.runSizes} />}
      {sweep && (
        <Section title={text.capacityTitle}>
          <Capacities sweep={sweep} />
        </Section>
      )}
      {rewriting && (
        <details class="passes">
          <summary>{text.passes}</summary>
          <Passes of={rewriting} />
        </details>
      )}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about?: string;
  readonly children: preact.ComponentChildren;
}

function Section({ title, about, children }: SectionProps): VNode {
  return (
    <section class="what-if-part">
      <h2>{title}</h2>
      {about !== undefined && <p class="muted note">{about}</p>}
      {children}
    </section>
  );
}

/** What live hints would save, by the smallest run of lines that they replace. */
function RunSizes({ of }: { readonly of: readonly RunSizePoint[] }): VNode | null {
  const present = useApp().store.members?.settings.spanMinBytes;
  const text = strings.whatIf;
  const most = Math.max(...of.map(({ savedTokens }) => savedTokens), 0);
  if (most === 0) return null;
  return (
    <Section title={text.runSizes} about={text.runSizesAbout}>
      <FiguresTable
        caption={text.runSizes}
        rows={of}
        keyOf={({ spanMinBytes }) => spanMinBytes}
        columns={[
          {
            head: text.runSize,
            cell: ({ spanMinBytes }) => (
              <>
                {bytesText(spanMinBytes)}
                {spanMinBytes === present && <span class="badge">{text.now}</span>}
              </>
            ),
          },
          {
            head: strings.columns.saved,
            cell: ({ savedTokens }) => short(savedTokens),
            bar: ({ savedTokens }) => savedTokens / most,
            isSaving: true,
          },
          { head: strings.columns.results, cell: ({ results }) => grouped(results) },
        ]}
      />
    </Section>
  );
}

/** Each partition's saved tokens, one column per strategy. */
function ByPartition({ of }: { readonly of: ContextComparison }): VNode {
  const text = strings.whatIf;
  // The others are named in one sentence above.
  const compared = of.strategies.filter(({ savedTokens }) => savedTokens > 0).map(({ strategy }) => strategy);
  const max = Math.max(1, ...of.partitions.flatMap(partition => compared.map(one => savedBy(partition[one]))));
  return (
    <details class="by-partition">
      <summary>{text.byPartition}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard. */}
      <section class="wide-table" tabIndex={0} aria-label={text.byPartition}>
        <FiguresTable
          rows={of.partitions}
          keyOf={(_, index) => index}
          columns={[
            { head: strings.partitions.partition, cell: (_, index) => index },
            ...compared.map(strategy => ({
              head: strings.strategies[strategy].name,
              cell: (partition: FiguresByStrategy) => short(savedBy(partition[strategy])),
              bar: (partition: FiguresByStrategy) => savedBy(partition[strategy]) / max,
            })),
          ]}
        />
      </section>
    </details>
  );
}

const savedBy = (figures: StrategyFigures | undefined) => figures?.savedTokens ?? 0;
