/** A week of work in minutes: sessions come and go, a page watches, settings change. Nothing may be lost or pile up. */

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import type { EngineClient, EngineEvents } from "../../src/engine/engineClient.js";
import { repeats } from "../../src/inspect/figures.js";
import { buildReport, sessionFigures } from "../../src/inspect/report.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { applyDelta, type LiveState, openState } from "../../src/protocol/apply.js";
import type { ToPage } from "../../src/protocol/messages.js";
import { unpackState } from "../../src/protocol/packing.js";
import { DEFAULT_FIGURES } from "../../src/settings/table.js";
import { Chance, LineSource } from "../support/liveLog.js";

export interface SoakPlan {
  /** Where the built engine is, and where logs may be written. */
  readonly code: string;
  readonly folder: string;
  readonly lines: number;
  readonly sessions: number;
  readonly seed: number;
}

export interface SoakReading {
  readonly lines: number;
  readonly megabytes: number;
  readonly openFiles: number;
}

/** How many sessions are written at the same time. */
const AT_ONCE = 5;
const READINGS = 20;

export async function soak(plan: SoakPlan, told: (reading: SoakReading) => void): Promise<void> {
  const chance = new Chance(plan.seed);
  const page = new Page();
  const { EngineClient: Client } = createRequire(`${plan.code}/`)("./engineClient.js") as {
    EngineClient: typeof EngineClient;
  };
  const client = new Client(page.events);
  page.client = client;
  mkdirSync(plan.folder, { recursive: true });
  let settings: DedupSettings = DEFAULT_SETTINGS;
  const configure = () =>
    client.configure({
      place: "browser",
      roots: [plan.folder],
      workspace: [],
      settings,
      figures: DEFAULT_FIGURES,
      axis: "order",
      useCache: true,
    });
  configure();
  client.fromPage(1, { type: "ready" });

  const sources = Array.from({ length: plan.sessions }, (_, index) => new LineSource(new Chance(plan.seed + index)));
  const perSession = Math.ceil(plan.lines / plan.sessions);
  let [written, hidden] = [0, false];
  for (let first = 0; first < plan.sessions; first += AT_ONCE) {
    const writing = sources
      .slice(first, first + AT_ONCE)
      .map((source, at) => ({ source, at: first + at, left: perSession }));
    for (let step = 0; writing.some(({ left }) => left > 0); step++) {
      const one = chance.pick(writing.filter(({ left }) => left > 0));
      const count = Math.min(one.left, 1 + chance.below(60));
      appendFileSync(join(plan.folder, `${String(one.at).padStart(4, "0")}.jsonl`), one.source.take(count));
      one.left -= count;
      written += count;
      if (step % 4 === 0) await wait(1);
      if (step % 97 === 96) {
        hidden = !hidden;
        client.fromPage(1, { type: hidden ? "hidden" : "ready" });
      }
      if (written % Math.ceil(plan.lines / READINGS) < count) told(await reading(written));
    }
    // A few times a week somebody tries another capacity.
    if ((first / AT_ONCE) % 8 === 7) {
      settings = { ...settings, capacity: 2 + chance.below(12) };
      configure();
    }
  }
  client.fromPage(1, { type: "ready" });
  await page.rest();
  compare(plan.folder, settings, page);
  await client.stop();
}

/** A headless page: processes what it receives. */
class Page {
  client: EngineClient | undefined;
  state: LiveState | undefined;
  #seq = 0;
  #lastAt = Date.now();

  readonly events: EngineEvents = {
    page: (_, message) => this.#take(message),
    live: () => {},
    notice: line => {
      throw new Error(line);
    },
  };

  #take(message: ToPage): void {
    this.#lastAt = Date.now();
    if (message.type === "snapshot") this.state = openState(unpackState(message.state));
    else if (message.type !== "delta") return;
    else if (this.state === undefined || message.seq !== this.#seq + 1 || !applyDelta(this.state, message.delta)) {
      return this.client?.fromPage(1, { type: "ready" });
    }
    this.#seq = message.seq;
  }

  /** Waits until nothing has arrived for a while and nothing is being read. */
  async rest(): Promise<void> {
    const end = Date.now() + 600_000;
    while (Date.now() - this.#lastAt < 4000 || this.state?.progress !== null) {
      if (Date.now() > end) throw new Error("the engine does not settle");
      await wait(100);
    }
  }
}

/** Compares the page's list and picture with a replay of the current files. */
function compare(folder: string, settings: DedupSettings, page: Page): void {
  const options = { settings, keepEvents: false, keepDetails: true, keepFacts: false };
  const models = readdirSync(folder).map(name => {
    const model = new LogPipeline(join(folder, name), options);
    model.push(readFileSync(join(folder, name)));
    return model;
  });
  const report = buildReport(
    models.map(model => model.data()),
    settings,
    () => true,
  );
  const { sessions = [], selected, context } = page.state ?? {};
  assert.equal(sessions.length, models.length, "sessions in the list");
  for (const session of report.sessions) {
    const listed = sessions.find(({ key }) => key === session.file);
    const figures = sessionFigures(session);
    const { results, savedTokens } = figures;
    assert.equal(listed?.results, results, `results of ${session.file}`);
    assert.equal(listed?.repeats, repeats(figures), `repeats of ${session.file}`);
    assert.ok(Math.abs((listed?.savedTokens ?? 0) - savedTokens) <= 1 + session.contexts.length * 4, "saved tokens");
  }
  const model = models.find(({ path }) => path === selected?.session);
  const truth = model?.contexts.find(({ id }) => selected?.context.endsWith(id));
  assert.ok(truth !== undefined && context !== null && context !== undefined, "a picture is shown");
  assert.deepEqual(context.rows.cells(), truth.rows.cells());
  assert.deepEqual(context.ids, truth.ids);
  assert.deepEqual(context.marks, JSON.parse(JSON.stringify(truth.marks)));
}

async function reading(lines: number): Promise<SoakReading> {
  globalThis.gc?.();
  await wait(300);
  const megabytes = Math.round(process.memoryUsage.rss() / 1024 ** 2);
  const openFiles = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  return { lines, megabytes, openFiles };
}
