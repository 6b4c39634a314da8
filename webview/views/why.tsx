import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { FileGates, GatesReport, LargeResult } from "../../src/inspect/gateFigures.js";
import type { Gate } from "../../src/inspect/gates.js";
import { gateSummary } from "../../src/words/outcomeTexts.js";
import { type EventFilter, NO_FILTER } from "../lib/filter.js";
import { useApp } from "../state/app.js";
import { FiguresTable } from "../ui/figuresTable.js";
import { menuOf } from "../words/callFacts.js";
import { callText, counted, fill, grouped, percent, short, strings, visible } from "../words/pageText.js";
import { AllSessionsView } from "./allSessionsView.js";
import { ScopeSwitch } from "./scopeSwitch.js";

/** Why no more was saved, and where the tokens went. */
export function Why(): VNode {
  const { ui, gates } = useApp();
  return (
    <div class="what-if why">
      <ScopeSwitch />
      {ui.scope.value === "all" ? (
        <AllSessionsView>{report => <Gates of={report.gates} here={false} />}</AllSessionsView>
      ) : (
        gates.value && <Gates of={gates.value} here />
      )}
    </div>
  );
}

/** `here`: for the conversation shown, so that each line can lead to its events. */
function Gates({ of, here }: { readonly of: GatesReport; readonly here: boolean }): VNode {
  const { ui, actions, store } = useApp();
  const text = strings.why;
  const rows = store.context?.rows;
  /** For results of all sessions, only their session can be opened. */
  const goTo = ({ row, file }: LargeResult) => {
    if (here) return row === undefined ? undefined : () => actions.goTo(row);
    if (!store.members?.sessions.some(({ key }) => key === file)) return undefined;
    return () => actions.chooseSession(file);
  };
  const list = (filter: Partial<EventFilter>) => {
    if (!here) return undefined;
    return () => {
      ui.filter.value = { ...NO_FILTER, ...filter };
      ui.tab.value = "events";
    };
  };
  const files = (title: string, all: readonly FileGates[], line: (file: FileGates) => Omit<Line, "key" | "name">) => (
    <Lines
      title={title}
      hint={text.showPath}
      lines={all.map(file => ({
        key: file.path,
        name: fileName(file.path),
        title: visible(file.path, 400),
        onPick: list({ path: file.path }),
        ...line(file),
      }))}
    />
  );
  return (
    <>
      <WhereTokensWent
        of={of}
        about={here ? text.aboutHere : text.about}
        onPick={gate => list({ kind: `gate:${gate}` })}
      />
      <div class="why-lists">
        <Lines
          title={text.largest}
          hint={text.goToSession}
          lines={of.largest.map((result, index) => ({
            key: String(index),
            name: largeName(result),
            title: result.row === undefined ? undefined : fill(text.goTo, { call: callText(result.row) }),
            note: gateSummary(result.gate),
            tokens: result.tokens,
            onPick: goTo(result),
            menu: here && rows && result.row !== undefined ? menuOf(rows, result.row) : undefined,
          }))}
        />
        {files(text.reread, of.reread, ({ rereads, reads, tokens }) => ({
          note: fill(text.rereadAbout, { rereads: grouped(rereads), reads: counted(strings.counts.reads, reads) }),
          tokens,
        }))}
        {files(text.overlapping, of.overlapping, ({ overlapping, overlappingTokens }) => ({
          note: counted(strings.counts.times, overlapping),
          tokens: overlappingTokens,
        }))}
        {files(text.stale, of.stale, ({ stale, staleTokens }) => ({
          note: counted(strings.counts.times, stale),
          tokens: staleTokens,
        }))}
        <Lines
          title={text.tools}
          hint={text.showTool}
          lines={of.tools.map(({ tool, results, tokens }) => ({
            key: tool,
            name: visible(tool, 80) || strings.app.unknownTool,
            note: counted(strings.counts.results, results),
            tokens,
            onPick: tool === "" ? undefined : list({ tool }),
          }))}
        />
      </div>
    </>
  );
}

function largeName({ row, tool, path }: LargeResult): string {
  const subject = [visible(tool, 40) || strings.app.unknownTool, path === null ? "" : fileName(path)];
  return [row === undefined ? "" : callText(row), subject.filter(Boolean).join(" ")].filter(Boolean).join(" · ");
}

/** The last two parts of a path usually distinguish files. */
function fileName(path: string): string {
  return visible(path.split(/[\\/]/).filter(Boolean).slice(-2).join("/") || path, 120);
}

interface WhereProps {
  readonly of: GatesReport;
  readonly about: string;
  readonly onPick: (gate: Gate) => (() => void) | undefined;
}

function WhereTokensWent({ of, about, onPick }: WhereProps): VNode {
  const text = strings.why;
  const all = of.gates.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = [...of.gates].sort((left, right) => right.tokens - left.tokens || right.results - left.results);
  const max = Math.max(1, rows[0]?.tokens ?? 0);
  if (rows.length === 0) return <p class="muted">{text.none}</p>;
  return (
    <section class="what-if-part">
      <h2>{text.title}</h2>
      <p class="muted note">{about}</p>
      <FiguresTable
        caption={text.title}
        rows={rows}
        keyOf={({ gate }) => gate}
        classOf={({ gate }) => `gate-${gate}`}
        columns={[
          {
            head: strings.columns.gate,
            cell: ({ gate }) => <Picked name={gateSummary(gate)} title={text.listThem} onPick={onPick(gate)} />,
          },
          { head: strings.columns.tokens, cell: ({ tokens }) => short(tokens), bar: ({ tokens }) => tokens / max },
          { head: text.share, cell: ({ tokens }) => percent(tokens, all) },
          { head: strings.columns.results, cell: ({ results }) => grouped(results) },
        ]}
      />
    </section>
  );
}

interface Line {
  readonly key: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly note: string;
  readonly tokens: number;
  readonly onPick?: (() => void) | undefined;
  /** What the context menu is about. */
  readonly menu?: string | undefined;
}

interface LinesProps {
  readonly title: string;
  /** What a click on one of them does. */
  readonly hint: string;
  readonly lines: readonly Line[];
}

const FIRST_LINES = 5;

/** A short list, largest first; the rest on demand. */
function Lines({ title, hint, lines }: LinesProps): VNode | null {
  const [all, setAll] = useState(false);
  const text = strings.why;
  if (lines.length === 0) return null;
  const max = Math.max(1, ...lines.map(({ tokens }) => tokens));
  return (
    <section class="what-if-part">
      <h2>{title}</h2>
      <ul class="figures-list" aria-label={title}>
        {lines.slice(0, all ? undefined : FIRST_LINES).map(line => (
          <li key={line.key} class="figures-line" data-vscode-context={line.menu}>
            <span class="figures-name" title={line.title}>
              <Picked name={line.name} title={line.title ?? hint} onPick={line.onPick} />
            </span>
            <span class="muted figures-note">{line.note}</span>
            <span class="barred" style={{ "--weight": `${(100 * line.tokens) / max}%` }}>
              {short(line.tokens)}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > FIRST_LINES && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? text.fewer : fill(text.more, { n: lines.length })}
        </button>
      )}
    </section>
  );
}

interface PickedProps {
  readonly name: string;
  readonly title: string;
  readonly onPick: (() => void) | undefined;
}

function Picked({ name, title, onPick }: PickedProps): VNode {
  if (onPick === undefined) return <bdi>{name}</bdi>;
  return (
    <button type="button" class="link" title={title} onClick={onPick}>
      <bdi>{name}</bdi>
    </button>
  );
}
