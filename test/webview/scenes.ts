/** The panel in all the states that a user can meet: for screenshots and for the checks that go with them. */
import type { Ask, PanelState } from "../../src/protocol/messages.js";
import type { TestPage } from "./page.js";
import { panelState, sampleLog } from "./states.js";
import { sampleTexts } from "./texts.js";

const log = sampleLog();
const texts = sampleTexts();

/** What a host in a browser would answer. */
export function answerFromSample(ask: Ask): unknown {
  if (ask.method === "transcript") return texts.transcript(ask.fromRow, ask.count);
  if (ask.method === "compare") return texts.compare(ask.row);
  if (ask.method === "openLogLine") return texts.logLine(ask.row);
  return ask.method === "details" ? texts.details(ask.row) : null;
}

const NOTHING: Partial<PanelState> = { sessions: [], selected: null, contexts: [], context: null };
const PROGRESS = { filesDone: 12, files: 40, bytesDone: 81e6, bytes: 203e6, secondsLeft: 3.2 };
/** A hit in the sample: the test run at the end. */
export const A_HIT = 190;

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

export const SCENES: Readonly<Record<string, Scene>> = {
  sample: opened => opened.show(panelState(log)),
  live: async opened => {
    await opened.show(liveState());
    await opened.post({ type: "reveal", row: A_HIT });
  },
  partitions: opened => atTab(opened, "partitions"),
  whatIf: opened => atTab(opened, "whatIf"),
  transcript: opened => withButton(opened, "Go to call 185", ".call.selected pre"),
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
};
