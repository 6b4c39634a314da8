/** The panel in all states that a user can see: for screenshots and the checks that go with them. */
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { Comparer } from "../../src/engine/compare/comparer.js";
import { kindAt, type OutcomeKind } from "../../src/inspect/outcomes.js";
import { buildReport } from "../../src/inspect/report.js";
import { ResultRows } from "../../src/inspect/rows.js";
import {
  type AllSessions,
  type ComparedSession,
  comparisonOf,
  NO_SESSIONS_COMPARED,
} from "../../src/protocol/comparison.js";
import type { PanelState } from "../../src/protocol/messages.js";
import type { LiveHintsOffer, PageAsk } from "../../src/protocol/requests.js";
import { DEFAULT_FIGURES } from "../../src/settings/table.js";
import { SAMPLE_LOGS } from "../support/sample.js";
import type { TestPage } from "./page.js";
import { mainOf, panelState, sampleLog } from "./states.js";
import { sampleTexts } from "./texts.js";

const log = sampleLog();
const texts = sampleTexts();

const comparer = new Comparer();
const compared: ComparedSession = {
  files: SAMPLE_LOGS,
  context: "main",
  settings: DEFAULT_SETTINGS,
  figures: DEFAULT_FIGURES,
  everywhere: new Map(),
};

/** What a host in a browser would answer; comparisons are the engine's own. */
export function answerFromSample(ask: PageAsk): unknown {
  if (ask.method === "strategies") return comparer.compare(compared);
  if (ask.method === "passes") return comparer.passes(compared);
  if (ask.method === "emitted") return texts.emitted(ask.row, comparer.emission(compared, ask.row, ask.strategy));
  if (ask.method === "lines") return texts.lines(ask.row, ask.from, ask.to);
  if (ask.method === "savings") return comparer.savings(compared, ask.strategy);
  if (ask.method === "transcript") return texts.transcript(ask.fromRow, ask.count);
  if (ask.method === "find") return texts.find(ask.text, ask.fromRow, ask.step);
  if (ask.method === "compare") return texts.compare(ask.row);
  if (ask.method === "offerLiveHints") return offeredLiveHints(ask.on);
  if (ask.method === "logLine") return texts.logLine(ask.row);
  return ask.method === "details" ? texts.details(ask.row) : null;
}

/** As the server would offer it to someone who works on a project. */
function offeredLiveHints(on: boolean): LiveHintsOffer {
  const command = '"command": "/usr/bin/node /home/ana/.local/share/dedup-inspector/hook.js"';
  const sign = on ? "+" : "-";
  const change = [
    { sign: " ", text: "{" },
    { sign, text: '  "hooks": { "PostToolUse": [{ "hooks": [{ "type": "command",' },
    { sign, text: `    ${command} }] }] }` },
    { sign: " ", text: "}" },
  ] as const;
  const file = (path: string) => ({ file: `/home/ana/${path}`, change, problem: null });
  return {
    number: on ? 1 : 2,
    places: [
      { scope: "local", ...file("work/ladle/.claude/settings.local.json") },
      { scope: "project", ...file("work/ladle/.claude/settings.json") },
      { scope: "user", ...file(".claude/settings.json"), change: [], problem: "it is read-only; nothing was changed" },
    ],
    saved: { sessions: 14, tokens: 900_000, savedTokens: 110_000, wholeTokens: 21_000 },
    plugins: on ? [] : [{ id: "dedup-inspector@dedup", removal: "claude plugin uninstall dedup-inspector@dedup" }],
  };
}

const NOTHING: Partial<PanelState> = { sessions: [], selected: null, contexts: [], context: null };
const PROGRESS = { filesDone: 12, files: 40, bytesDone: 81e6, bytes: 203e6, secondsLeft: 3.2 };

const rows = new ResultRows();
rows.append(mainOf(log).rows);
const numbers = Array.from({ length: rows.length }, (_, row) => row);
/** The sample's rows with this outcome. */
export const rowsOfKind = (kind: OutcomeKind) => numbers.filter(row => kindAt(rows, row) === kind);
/** The largest whole hit in the sample, and the result that it repeats. */
export const A_HIT = rowsOfKind("hit").reduce((one, other) =>
  rows.get(other, "savedChars") > rows.get(one, "savedChars") ? other : one,
);
export const ITS_TOOL = mainOf(log).tools[rows.get(A_HIT, "tool")] ?? "";
export const WHAT_IT_HITS = rows.get(A_HIT, "ref") - 1;

/** The report of all sessions, where the sample is the only one. */
export function allCompared(): AllSessions {
  const replayed = sampleLog({}, true);
  const report = buildReport([replayed], DEFAULT_SETTINGS, () => true, { strategies: true });
  const { gates, sweep } = report;
  return {
    progress: null,
    problem: null,
    report: { ...comparisonOf(report), sessions: 1, gates, sweep, trial: null, capacity: 5 },
  };
}

/** A result of which some lines were there before. */
export const WITH_RUNS = rowsOfKind("partial").at(-1) ?? -1;

export function liveState(): PanelState {
  const state = panelState(log);
  const sessions = state.sessions.map((session, index) => (index === 0 ? { ...session, live: true } : session));
  return { ...state, sessions, following: true };
}

type Scene = (page: TestPage) => Promise<void>;

async function atTab(opened: TestPage, tab: string): Promise<void> {
  await opened.show(panelState(log));
  await opened.page.locator(`#tab-${tab}`).click();
  await opened.settled();
}

async function selectedInBrowser(opened: TestPage): Promise<void> {
  await opened.show(panelState(log, { place: "browser" }));
  await opened.page.locator("#tab-events").click();
  await opened.post({ type: "reveal", row: A_HIT });
}

async function withButton(opened: TestPage, name: string, shown: string): Promise<void> {
  await selectedInBrowser(opened);
  await opened.page.getByRole("button", { name, exact: true }).click();
  await opened.page.locator(shown).first().waitFor();
}

const rewriting = ({ page }: TestPage) => page.locator("summary", { hasText: "Rewriting history" });

export const SCENES: Readonly<Record<string, Scene>> = {
  sample: opened => opened.show(panelState(log)),
  live: async opened => {
    await opened.show(liveState());
    await opened.post({ type: "reveal", row: A_HIT });
  },
  partitions: opened => atTab(opened, "partitions"),
  whatIf: async opened => {
    await atTab(opened, "whatIf");
    await rewriting(opened).waitFor();
  },
  whatIfPassesAndPartitions: async opened => {
    await opened.page.getByText("Saved tokens by partition").click();
    await rewriting(opened).click();
    // A list if there is no room for a table.
    await opened.page.locator(".passes :is(table, ul)").scrollIntoViewIfNeeded();
    await opened.settled();
  },
  whatIfAll: async opened => {
    await opened.page.getByRole("radio", { name: "All sessions" }).check({ force: true });
    await opened.settled();
  },
  whatIfAllReading: opened =>
    opened.show(panelState(log, { all: { ...NO_SESSIONS_COMPARED, progress: PROGRESS } }), 20),
  whatIfAllDone: opened => opened.show(panelState(log, { all: allCompared() }), 30),
  whyAll: async opened => {
    await opened.page.locator("#tab-why").click();
    await opened.settled();
  },
  why: async opened => {
    await opened.page.getByRole("radio", { name: "This conversation" }).check({ force: true });
    await opened.settled();
  },
  transcript: opened => withButton(opened, `Go to call ${WHAT_IT_HITS + 1}`, ".call.selected pre"),
  compare: opened => withButton(opened, "Compare", ".compare-row"),
  logLine: async opened => {
    await opened.page.keyboard.press("Escape");
    await withButton(opened, "Log line", ".log-line");
  },
  sessions: async opened => {
    await opened.page.getByRole("button", { name: "Back", exact: true }).click();
    await opened.show(panelState(log));
    await opened.page.getByRole("button", { name: /^Session:/ }).click();
    await opened.settled();
  },
  explained: async opened => {
    await opened.page.keyboard.press("Escape");
    await opened.page.locator(".figure-saved").hover();
    await opened.page.locator(".tooltip").waitFor();
  },
  runs: async opened => {
    await atTab(opened, "whatIf");
    await opened.page.getByRole("button", { name: "All runs of lines (from 200 bytes)" }).click();
    await opened.page.locator("#tab-events").click();
    await opened.post({ type: "reveal", row: WITH_RUNS });
    await opened.page.getByText("Text", { exact: true }).click();
    await opened.page.locator(".emitted-hint button").first().click();
    await opened.page.locator(".referenced pre").first().waitFor();
    await opened.settled();
  },
  problems: opened =>
    opened.show(
      panelState(log, {
        problems: ["/home/ana/.claude/projects cannot be read: permission denied", "No such setting", "A third"],
        progress: PROGRESS,
      }),
    ),
  reading: opened => opened.show(panelState(log, { ...NOTHING, progress: PROGRESS })),
  empty: opened => opened.show(panelState(log, NOTHING)),
  huge: async opened => {
    await opened.showRepeated(panelState(log), 100_000, 9);
  },
  liveHints: async opened => {
    await opened.show(panelState(log, { place: "browser", liveHints: "off" }), 40);
    await opened.page.getByRole("button", { name: "More actions" }).click();
    await opened.page.getByText("Turn live hints on…", { exact: true }).click();
    await opened.page.getByText("Show change").click();
    await opened.page.locator(".change").waitFor();
  },
};
