import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { PageToEngine } from "../../../src/engine/engineClient.js";
import type { EngineConfig } from "../../../src/engine/engineMessages.js";
import type { PageAsk } from "../../../src/protocol/requests.js";
import { BrowserHost, type BrowserHostParts } from "../../../src/serve/browserHost.js";
import type { LiveHintsState } from "../../../src/settings/liveSettings.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";

const CONFIG: EngineConfig = {
  place: "browser",
  roots: ["/logs"],
  workspace: [],
  settings: DEFAULT_SETTINGS,
  figures: DEFAULT_FIGURES,
  axis: "order",
  useCache: false,
  liveHints: "off",
};

class World {
  readonly configs: EngineConfig[] = [];
  readonly answers: unknown[] = [];
  readonly sent: [number, PageToEngine][] = [];
  readonly closed: number[] = [];
  report: BrowserHostParts["report"] = () => Promise.reject(new Error("no report"));
  readonly liveHints = {
    state: "off" as LiveHintsState,
    offer: (on: boolean) => Promise.resolve({ number: on ? 1 : 2, places: [], saved: null, plugins: [] }),
    accept: () => {
      this.liveHints.state = "both";
      return Promise.resolve();
    },
  };
  readonly host = new BrowserHost(
    {
      engine: {
        configure: config => this.configs.push(config),
        fromPage: (panel, message) => this.sent.push([panel, message]),
        closed: panel => this.closed.push(panel),
      },
      reply: (panel, reply) => this.answers.push([panel, reply]),
      sample: () => ({ folder: "/tmp/sample", log: "/tmp/sample/sample.jsonl" }),
      report: (...asked) => this.report(...asked),
      liveHints: this.liveHints,
    },
    CONFIG,
  );

  async run(ask: PageAsk, id = 1): Promise<void> {
    this.host.fromPage(3, { type: "request", id, ask });
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe("the host of pages in a browser", () => {
  it("configures the engine at the start", () => {
    expect(new World().configs).toEqual([CONFIG]);
  });

  it("passes the engine's requests to the engine, and nothing else", async () => {
    const world = new World();
    await world.run({ method: "compare", row: 4 });
    world.host.fromPage(3, { type: "hidden" });
    world.host.fromPage(3, { type: "selected", row: 2 });
    await world.run({ method: "setAxis", axis: "time" }, 2);
    world.host.closed(3);
    expect(world.sent).toEqual([
      [3, { type: "request", id: 1, ask: { method: "compare", row: 4 } }],
      [3, { type: "hidden" }],
    ]);
    expect(world.closed).toEqual([3]);
    expect(world.answers).toEqual([[3, { type: "reply", id: 2, result: null }]]);
  });

  it("says in one sentence why something cannot be done", async () => {
    const world = new World();
    const failed = async (ask: PageAsk, message: string) => {
      world.answers.length = 0;
      await world.run(ask);
      expect(world.answers).toEqual([[3, { type: "failure", id: 1, message }]]);
    };
    await failed(
      { method: "openSettings" },
      "the page has no settings; restart with other options: see dedup-inspector open --help",
    );
    await failed({ method: "openCall", row: 1 }, "not available in a browser");
    await failed({ method: "turnLiveHints", on: true }, "not available in a browser");
  });

  it("changes capacity and axis for this run, independently of each other", async () => {
    const world = new World();
    await world.run({ method: "setCapacity", capacity: 9 });
    await world.run({ method: "setAxis", axis: "time" });
    expect(world.configs.at(-1)).toEqual({ ...CONFIG, settings: { ...DEFAULT_SETTINGS, capacity: 9 }, axis: "time" });
    const done = [3, { type: "reply", id: 1, result: null }];
    expect(world.answers).toEqual([done, done]);
  });

  it("tells every tab the state of live hints once a change has been accepted", async () => {
    const world = new World();
    await world.run({ method: "offerLiveHints", on: true });
    expect(world.answers).toEqual([
      [3, { type: "reply", id: 1, result: { number: 1, places: [], plugins: [], saved: null } }],
    ]);
    expect(world.configs).toHaveLength(1);
    await world.run({ method: "acceptLiveHints", offer: 1, place: 0 });
    expect(world.configs.at(-1)).toEqual({ ...CONFIG, liveHints: "both" });
  });

  it("notices what was done on the command line when a page is back", async () => {
    const world = new World();
    world.host.fromPage(3, { type: "ready" });
    expect(world.configs).toHaveLength(1);
    world.liveHints.state = "hooks";
    world.host.fromPage(3, { type: "ready" });
    expect(world.configs.slice(1)).toEqual([{ ...CONFIG, liveHints: "hooks" }]);
    expect(world.sent).toEqual([
      [3, { type: "ready" }],
      [3, { type: "ready" }],
    ]);
  });

  it("creates the report with the current settings, one at a time", async () => {
    const world = new World();
    let finish = () => {};
    world.report = ({ settings }, format) =>
      new Promise(resolve => {
        finish = () => resolve([`${format} at ${settings.capacity}`]);
      });
    const { signal } = new AbortController();
    await world.run({ method: "setCapacity", capacity: 9 });
    const first = world.host.report("html", signal);
    await expect(world.host.report("html", signal)).rejects.toThrow("a report is already being created");
    finish();
    expect(await first).toEqual(["html at 9"]);
    world.report = () => Promise.reject(new Error("no memory"));
    await expect(world.host.report("html", signal)).rejects.toThrow("no memory");
    await expect(world.host.report("html", signal)).rejects.toThrow("no memory");
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
