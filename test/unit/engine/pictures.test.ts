import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Picture, Pictures } from "../../../src/cache/pictures.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Panel, type PanelSources } from "../../../src/engine/panel.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { calibrationsOf } from "../../../src/log/calibration.js";
import { NO_SESSIONS_COMPARED } from "../../../src/protocol/comparison.js";
import type { SessionItem, ToPage } from "../../../src/protocol/messages.js";
import { unpackContext } from "../../../src/protocol/packing.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";

const folders = new Folders();
afterAll(() => folders.remove());

const PICTURE: Picture = {
  contexts: [{ key: "main", id: "main", task: "", results: 2 }],
  context: [Uint8Array.of(1, 2, 10, 3).buffer, Uint8Array.of(10).buffer],
};

describe("a picture on disk", () => {
  let folder = "";
  let pictures = new Pictures("");
  const files = () => readdirSync(join(folder, "pictures")).map(name => join(folder, "pictures", name));
  beforeEach(() => {
    folder = folders.make();
    pictures = new Pictures(folder);
    pictures.remember("s", "main", "made of this", PICTURE);
  });

  it("comes back as it was", () => {
    expect(pictures.recall("s", "main", "made of this")).toEqual(PICTURE);
  });

  it("is not used for another session, context or state", () => {
    expect(pictures.recall("t", "main", "made of this")).toBeUndefined();
    expect(pictures.recall("s", "agent", "made of this")).toBeUndefined();
    expect(pictures.recall("s", "main", "made of that")).toBeUndefined();
  });

  it("counts as missing if it is damaged", () => {
    const [file = ""] = files();
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 3) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x15;
      writeFileSync(file, damaged);
      expect(pictures.recall("s", "main", "made of this"), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(file, whole.subarray(0, -2));
    expect(pictures.recall("s", "main", "made of this")).toBeUndefined();
  });

  it("is evicted by newer ones", () => {
    for (let session = 0; session < 60; session++) pictures.remember(`${session}`, "main", "x", PICTURE);
    expect(files().length).toBe(40);
  });

  it("need not be written", () => {
    const nowhere = new Pictures("/dev/null/x");
    expect(() => nowhere.remember("s", "main", "x", PICTURE)).not.toThrow();
    expect(nowhere.recall("s", "main", "x")).toBeUndefined();
  });
});

describe("a panel whose session is remembered", () => {
  const pair = (id: string) => [call(id, "Bash", { command: "ls" }), result(id, textOf(300, id))];
  let file = "";
  let posted: ToPage[] = [];
  let views = new Map<string, SessionView>();
  let remembered: Picture | undefined;

  function panel(): Panel {
    const sessions = [{ key: file, live: false, results: 1 } as SessionItem];
    const store: PanelSources["store"] = {
      config: {
        place: "browser",
        roots: [],
        workspace: [],
        settings: DEFAULT_SETTINGS,
        figures: DEFAULT_FIGURES,
        axis: "order",
        useCache: true,
      },
      problems: [],
      sessions: () => sessions,
      ratios: () => ({ everywhere: calibrationsOf([]) }),
      view: key => {
        const view = views.get(key) ?? new SessionView(key, [key], DEFAULT_SETTINGS, undefined);
        views.set(key, view);
        return view;
      },
      has: () => true,
      recall: key => (views.has(key) ? undefined : remembered),
      remember: (_key, _context, picture) => {
        remembered = picture;
      },
    };
    const sources = { store, reader: { progress: null }, comparisons: { all: NO_SESSIONS_COMPARED } };
    return new Panel(sources, message => posted.push(structuredClone(message)));
  }

  const idsOf = (message: ToPage | undefined) =>
    message?.type === "snapshot" && message.state.context !== null
      ? unpackContext(message.state.context).ids
      : undefined;

  beforeEach(() => {
    vi.useFakeTimers();
    file = join(folders.make(), "s.jsonl");
    writeFileSync(file, logText(...pair("1"), ...pair("2")));
    [posted, views, remembered] = [[], new Map(), undefined];
    panel().take({ type: "ready" });
    vi.advanceTimersByTime(60_000);
    expect(remembered).toBeDefined();
    [posted, views] = [[], new Map()];
  });
  afterEach(() => vi.useRealTimers());

  it("shows it before anything is read, and sends nothing more if it is still right", () => {
    const shown = panel();
    shown.take({ type: "ready" });
    expect(views.size).toBe(0);
    expect(posted.map(idsOf)).toEqual([["1", "2"]]);
    vi.advanceTimersByTime(1000);
    expect(views.size).toBe(1);
    expect(posted).toHaveLength(1);
  });

  it("continues from there with deltas", () => {
    const shown = panel();
    shown.take({ type: "ready" });
    vi.advanceTimersByTime(1000);
    writeFileSync(file, logText(...pair("1"), ...pair("2"), ...pair("3")));
    views.get(file)?.update(file);
    shown.grow();
    expect(posted[1]).toMatchObject({ type: "delta", seq: 2, delta: { grown: { fromRow: 2, ids: ["3"] } } });
  });

  it("shows the actual state as soon as it differs", () => {
    writeFileSync(file, logText(...pair("1"), ...pair("9")));
    const shown = panel();
    shown.take({ type: "ready" });
    vi.advanceTimersByTime(1000);
    expect(posted.map(idsOf)).toEqual([
      ["1", "2"],
      ["1", "9"],
    ]);
  });

  it("reads nothing once it is closed", () => {
    const shown = panel();
    shown.take({ type: "ready" });
    shown.close();
    vi.advanceTimersByTime(60_000);
    expect(views.size).toBe(0);
  });
});
