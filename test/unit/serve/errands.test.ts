import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { EngineConfig, Errand, Query } from "../../../src/engine/engineMessages.js";
import { buildReport, type Report, withStrategies } from "../../../src/inspect/report.js";
import type { Ask, ToHost } from "../../../src/protocol/messages.js";
import { Errands } from "../../../src/serve/errands.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";

const CONFIG: EngineConfig = {
  place: "browser",
  roots: ["/logs"],
  workspace: [],
  settings: DEFAULT_SETTINGS,
  figures: DEFAULT_FIGURES,
  axis: "order",
  useCache: false,
};

class World {
  readonly configs: EngineConfig[] = [];
  readonly answers: unknown[] = [];
  readonly sent: [number, ToHost][] = [];
  samples = 0;
  answerQuery: (query: Query) => unknown = () => undefined;
  report: (config: EngineConfig) => Promise<Report> = () => Promise.reject(new Error("no report"));
  readonly errands = new Errands(
    {
      engine: {
        configure: config => this.configs.push(config),
        fromPage: (panel, message) => this.sent.push([panel, message]),
        ask: async query => this.answerQuery(query),
        reply: ({ id }, result) => this.answers.push([id, result]),
        fail: ({ id }, message) => this.answers.push([id, new Error(message)]),
      },
      sample: () => {
        this.samples++;
        return { folder: "/tmp/sample", log: "/tmp/sample/sample.jsonl" };
      },
      report: config => this.report(config),
    },
    CONFIG,
  );

  run(ask: Ask, id = 1): Promise<void> {
    const errand: Errand = { panel: 3, id, ask, session: "/logs/a.jsonl", context: "main" };
    return this.errands.run(errand);
  }
}

describe("an errand", () => {
  it("configures the engine at the start", () => {
    expect(new World().configs).toEqual([CONFIG]);
  });

  it("leaves a call to the page's own transcript", async () => {
    const world = new World();
    await world.run({ method: "openCall", row: 4 }, 9);
    expect(world.answers).toEqual([[9, { row: 4 }]]);
  });

  it("brings the texts to compare, and the log line as text", async () => {
    const world = new World();
    world.answerQuery = query => (query.name === "logLine" ? { file: "f", line: 3, text: "{}" } : query);
    await world.run({ method: "compare", row: 4 });
    await world.run({ method: "openLogLine", row: 4 }, 2);
    const query = { name: "compare", session: "/logs/a.jsonl", context: "main", row: 4 };
    expect(world.answers).toEqual([
      [1, query],
      [2, "{}"],
    ]);
  });

  it("that fails says why in one sentence", async () => {
    const world = new World();
    world.answerQuery = () => {
      throw new Error("this result refers to no other");
    };
    await world.run({ method: "compare", row: 4 });
    await world.run({ method: "openSettings" }, 2);
    await world.run({ method: "details", row: 1 }, 3);
    expect(world.answers).toEqual([
      [1, new Error("this result refers to no other")],
      [2, new Error("no settings in a browser: see dedup-inspector open --help for the options")],
      [3, new Error("not available in a browser")],
    ]);
  });

  it("changes capacity and axis for this run, each leaving the other as it is", async () => {
    const world = new World();
    await world.run({ method: "setCapacity", capacity: 9 });
    await world.run({ method: "setAxis", axis: "time" });
    expect(world.configs.at(-1)).toEqual({ ...CONFIG, settings: { ...DEFAULT_SETTINGS, capacity: 9 }, axis: "time" });
    expect(world.answers).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  it("makes the report under the settings of now, one at a time", async () => {
    const world = new World();
    let finish = () => {};
    world.report = ({ settings }) =>
      new Promise(resolve => {
        finish = () => resolve(buildReport([], settings, () => true, withStrategies(DEFAULT_FIGURES)));
      });
    await world.run({ method: "setCapacity", capacity: 9 });
    const first = world.errands.report();
    await expect(world.errands.report()).rejects.toThrow("a report is already being created");
    finish();
    expect((await first).settings.capacity).toBe(9);
    world.report = () => Promise.reject(new Error("no memory"));
    await expect(world.errands.report()).rejects.toThrow("no memory");
    await expect(world.errands.report()).rejects.toThrow("no memory");
  });

  it("adds the sample's folder once and shows its log to the tab that asked", async () => {
    const world = new World();
    await world.run({ method: "openSample" });
    await world.run({ method: "openSample" });
    expect(world.configs).toEqual([
      CONFIG,
      { ...CONFIG, roots: ["/logs", "/tmp/sample"], sample: "/tmp/sample/sample.jsonl" },
    ]);
    const select = { type: "select", session: "/tmp/sample/sample.jsonl" };
    expect(world.sent).toEqual([
      [3, select],
      [3, select],
    ]);
  });
});
