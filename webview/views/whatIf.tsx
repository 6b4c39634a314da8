import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { StrategyFigures } from "../../src/inspect/strategyFigures.js";
import type { ContextComparison } from "../../src/protocol/comparison.js";
import { useApp } from "../state/app.js";
import { fill, short, strings } from "../words/text.js";
import { AllSessionsView } from "./allSessions.js";
import { Capacities } from "./capacities.js";
import { Passes } from "./passes.js";
import { ScopeSwitch } from "./scopeSwitch.js";
import { Strategies } from "./strategies.js";

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
              <Section title={strings.whatIf.capacityTitle}>
                <Capacities sweep={report.sweep} />
              </Section>
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
  const rewriting = passes.state.value.value;
  return (
    <>
      <Section title={text.strategies} about={text.strategiesAbout}>
        {value && (
          <div class={isOld ? "is-old" : undefined} aria-busy={isOld}>
            <Strategies of={value} choosable />
            {value.partitions.length > 1 && <ByPartition of={value} />}
          </div>
        )}
        {!value && <p class="muted">{problem === undefined ? text.comparing : failed(problem)}</p>}
      </Section>
      {sweep && (
        <Section title={text.capacityTitle}>
          <Capacities sweep={sweep} />
        </Section>
      )}
      {rewriting && (
        <Section title={text.passes}>
          <Passes of={rewriting} />
        </Section>
      )}
    </>
  );
}

const failed = (why: string) => fill(strings.app.failed, { what: strings.whatIf.cannotCompare, why });

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

/** Each partition's saved tokens, one column per strategy. */
function ByPartition({ of }: { readonly of: ContextComparison }): VNode {
  const text = strings.whatIf;
  const compared = of.strategies.map(({ strategy }) => strategy);
  const max = Math.max(1, ...of.partitions.flatMap(partition => compared.map(one => savedBy(partition[one]))));
  return (
    <details class="by-partition">
      <summary>{text.byPartition}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard. */}
      <section class="wide-table" tabIndex={0} aria-label={text.byPartition}>
        <table class="figures-table">
          <thead>
            <tr>
              <th scope="col">{strings.partitions.partition}</th>
              {compared.map(strategy => (
                <th key={strategy} scope="col">
                  {strings.strategies[strategy].name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {of.partitions.map((partition, index) => (
              <tr key={index}>
                <th scope="row">{index}</th>
                {compared.map(strategy => (
                  <td
                    key={strategy}
                    class="barred"
                    style={{ "--weight": `${(100 * savedBy(partition[strategy])) / max}%` }}
                  >
                    {short(savedBy(partition[strategy]))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const savedBy = (figures: StrategyFigures | undefined) => figures?.savedTokens ?? 0;
