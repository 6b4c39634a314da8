import { describe, expect, it } from "vitest";
import { NO_COST } from "../../../src/inspect/cost.js";
import type { Figures } from "../../../src/inspect/figures.js";
import { GATES } from "../../../src/inspect/gates.js";
import type { LiveHintsState } from "../../../src/settings/liveSettings.js";
import { adviceText } from "../../../src/words/adviceText.js";
import { gateName, gateSummary } from "../../../src/words/outcomeTexts.js";
import { FigureKeeper } from "../../../webview/lib/contextFigures.js";
import { KINDS } from "../../../webview/lib/filter.js";
import { GateTracker } from "../../../webview/lib/gateTracker.js";
import { contextText, type FigureBasis, figureTexts } from "../../../webview/words/pageFigureTexts.js";
import {
  ageText,
  pathInside,
  percent,
  pieces,
  plain,
  projectName,
  strings,
  tokensText,
  visible,
  visibleBlock,
} from "../../../webview/words/pageText.js";
import { partitionRow } from "../../../webview/words/partitionRows.js";
import { answer, boundary, read, result, textOf } from "../../support/log.js";
import { sampleText } from "../../support/sample.js";
import { contextOf, live, replayed, sampleContext, stateOf } from "./context.js";

const context = sampleContext();
const figures = new FigureKeeper().update(context);
/** Two files that Claude Code did not return again: the newest version has no such stubs. */
const UNCHANGED: Partial<Figures> = { nativeTokens: 1400, bypassed: { ...figures.total.bypassed, native: 2 } };

describe("figures in words", () => {
  const worth = { ...NO_COST, usd: 0.41 };
  const basis = { figures, calibration: context.calibration, worth };
  const text = (change: Partial<Figures> = {}, other: Partial<FigureBasis> = {}) => {
    const total = { ...figures.total, ...change };
    const told = figureTexts({ ...basis, figures: { ...figures, total }, ...other });
    return Object.fromEntries(told.map(({ key, ...rest }) => [key, rest]));
  };

  it("begin with the answer: what could be saved, what was, what it is worth, where the rest went", () => {
    const told = text(UNCHANGED, { liveHints: "off" });
    expect(Object.keys(told)).toEqual(["saved", "realised", "worth", "native", "rest"]);
  });

  it("say value, basis and meaning", () => {
    const saving = { savedTokens: 500, tokens: 4000, results: 9, hits: 1, nearHits: 0, runHits: 2 };
    const calibration = { ...context.calibration, medianAbsError: 0.09 };
    expect(text(saving, { calibration })["saved"]).toMatchObject({
      label: "Could save",
      value: "500 tokens",
      basis: "13 % of tool results · 3 of 9 results repeat · ± 9.0 %",
      leads: "hit",
    });
    expect(text()["saved"]?.about).toContain("requests in this session");
    expect(text({ carriedTokens: 12_345 })["worth"]).toMatchObject({
      value: "$0.41",
      basis: "12.3k tokens sent again",
    });
    expect(text(UNCHANGED)["native"]).toMatchObject({ value: "1.4k tokens", basis: "2 unchanged re-reads" });
    expect(text()["rest"]).toMatchObject({
      value: expect.stringMatching(/^\d+ % unseen$/),
      leads: "breakdown",
    });
  });

  it("base what the saving is worth on the requests of its own partition only", () => {
    const request = (id: string) => ({ message: { id, model: "m", usage: { input_tokens: 2000 } } });
    const lines = [
      read("a", "/f", request("m1")),
      result("a", textOf(4000)),
      read("b", "/f", request("m2")),
      result("b", textOf(4000)),
      answer("m3", 3000),
      answer("m4", 3000),
      boundary(),
      ...["m5", "m6", "m7"].map(id => answer(id, 500)),
    ];
    const compacted = contextOf(lines);
    const own = new FigureKeeper().update(compacted);
    expect(compacted.partitionRequests).toEqual([4, 3]);
    const told = figureTexts({ ...basis, figures: own, calibration: compacted.calibration });
    const sentTwice = tokensText(2 * own.total.savedTokens);
    expect(told.find(({ key }) => key === "worth")?.basis).toBe(`${sentTwice} sent again`);
  });

  it.each([true, false])("agree with the breakdown wherever they use its words (runs: %s)", runs => {
    const replay = live(stateOf(replayed(sampleText(), { runs })));
    const told = figureTexts({ ...basis, figures: new FigureKeeper().update(replay), calibration: replay.calibration });
    const rest = told.find(({ key }) => key === "rest");
    const parts = `${rest?.value} · ${rest?.basis}`.split(" · ").map(part => part.split(" % "));
    const { gates } = new GateTracker().update(replay);
    const all = gates.reduce((sum, { tokens }) => sum + tokens, 0);
    const rows = new Map(gates.map(({ gate, tokens }) => [gateName(gate), percent(tokens, all)]));
    expect(parts.map(([, word]) => word)).toEqual(["unseen", "errors", "compacted"]);
    expect(parts.map(([, word = ""]) => rows.get(word))).toEqual([
      undefined,
      ...parts.slice(1).map(([share]) => `${share} %`),
    ]);
  });

  it("a filter by kind is not called what a filter by one row of the breakdown is", () => {
    const ofRows = GATES.flatMap(gate => [gateName(gate), gateSummary(gate)]).map(word => word.toLowerCase());
    const kinds = KINDS.map(kind => strings.filter.kinds[kind].toLowerCase());
    expect(kinds.filter(word => ofRows.includes(word))).toEqual([]);
  });

  it("say what a figure in money leaves out", () => {
    const sentence = "Not included: 500 tokens whose cost is unknown.";
    expect(text()["worth"]?.about).not.toContain("leaves out");
    expect(text({}, { worth: { ...worth, unpricedTokens: 500 } })["worth"]?.about).toContain(sentence);
  });

  it("leave out what is zero or unknown: no zero is a headline", () => {
    const { bypassed } = figures.total;
    const nothing = { savedTokens: 0, nativeTokens: 0, bypassed: { ...bypassed, native: 0, realised: 0 } };
    const told = text(nothing, { worth: NO_COST });
    expect(Object.keys(told)).toEqual(["results", "rest"]);
    expect(told["results"]?.basis).toBe(`${figures.total.results} results, nothing repeats`);
    expect(told["rest"]?.label).toBe("Where it went");
    expect(text({ nativeTokens: 0 })).not.toHaveProperty("native");
    expect(text({}, { worth: { ...NO_COST, usd: null } })).not.toHaveProperty("worth");
  });

  it("say what live hints realised of the estimate, and if there are none whether they are on", () => {
    const { bypassed } = figures.total;
    const hints = { bypassed: { ...bypassed, realised: 3 }, realisedTokens: 300, savedTokens: 100 };
    expect(text(hints)["realised"]).toMatchObject({ value: "300 tokens", basis: "3 hints · 75 % of what repeats" });
    expect(text({ ...hints, realisedTokens: -10 })["realised"]).toMatchObject({
      value: "-10 tokens",
      basis: "3 hints",
    });
    expect(text({ ...hints, realisedTokens: 0 })["realised"]?.value).toBe("unknown");
    const none = { bypassed: { ...bypassed, realised: 0 } };
    const realised = (liveHints?: LiveHintsState) => text(none, { liveHints })["realised"];
    expect(realised()).toBeUndefined();
    expect(realised("off")).toMatchObject({ value: "off", basis: "Turn on…", leads: "turnOn" });
    expect(realised("both")).toMatchObject({ value: "on", basis: "live hints · none here yet" });
    expect(realised("both")?.about).toContain(
      "as a mod in Claude Code 2.1.287 and later, as hooks in earlier versions",
    );
    expect(realised("hooks")?.about).toContain("They are on as hooks.");
    expect(realised("plugin")).toMatchObject({ value: "on", about: expect.stringContaining("through a plugin") });
  });

  it("say that an error is not known, instead of 0", () => {
    const calibration = { ...context.calibration, medianAbsError: null, basis: "default" as const };
    expect(text({}, { calibration })["saved"]?.basis).toContain("error unknown");
  });

  it("say how full the context is, relative to its window if known, and when the cache expires", () => {
    const nine = Date.parse("2026-11-20T09:00:00") / 1000;
    const use = { tokens: 84_000, window: 200_000, cachedUntil: nine };
    const before = contextText(use, (nine - 60) * 1000);
    expect(before).toMatchObject({ value: "84.0k of 200k", leads: "boundary" });
    expect(before.basis).toMatch(/^42 % full · cached until 0?9:00/);
    expect(contextText(use, (nine + 1) * 1000).basis).toMatch(/^42 % full · cache expired 0?9:00/);
    expect(contextText({ ...use, window: 1_000_000 }, 0).value).toBe("84.0k of 1M");
    const unknown = contextText({ tokens: 84_000, window: undefined, cachedUntil: undefined }, 0);
    expect(unknown).toMatchObject({ value: "84.0k tokens", basis: "newest request" });
    expect(unknown.about).toContain("does not say how large");
  });
});

describe("advice", () => {
  const sweep = (...saved: number[]) => repeated(500, ...saved);
  const repeated = (hits: number, ...saved: number[]) =>
    saved.map((savedTokens, at) => ({
      capacity: at === saved.length - 1 ? null : at + 1,
      hits,
      savedBytes: savedTokens * 3,
      savedTokens,
    }));

  it("names the smallest capacity that saves nearly all, and the gain", () => {
    const { sentence, capacity } = adviceText(sweep(10, 500, 1000, 1000), 1);
    expect(capacity).toBe(3);
    expect(sentence).toContain("Capacity 3 is the smallest that saves 95 %");
    expect(sentence).toContain("990 tokens more than with 1");
  });

  it("accepts what is enough, and says if less would do", () => {
    expect(adviceText(sweep(10, 1000, 1000, 1000), 2).sentence).toContain("already saves almost as much");
    expect(adviceText(sweep(1000, 1000, 1000, 1000), 3)).toMatchObject({ capacity: 1 });
    expect(adviceText(sweep(1000, 1000, 1000, 1000), 3).sentence).toContain("saves hardly more");
  });

  it("recommends no smaller cache than the current one on a handful of results", () => {
    const { sentence, capacity } = adviceText(repeated(6, 1000, 1000, 1000, 1000), 3);
    expect(capacity).toBe(3);
    expect(sentence).toContain("The current capacity of 3 already saves almost as much");
    // A larger one is still worth it.
    expect(adviceText(repeated(6, 10, 500, 1000, 1000), 1).capacity).toBe(3);
  });

  it("does not promise what cannot be reached", () => {
    expect(adviceText(sweep(0, 0, 0, 0), 5)).toMatchObject({ capacity: null });
    expect(adviceText(sweep(1, 2, 3, 1000), 1)).toMatchObject({
      sentence: expect.stringContaining("Even a capacity of 3"),
      capacity: 3,
    });
  });

  it("recommends no capacity that saves less than one larger than all that were tried may save", () => {
    expect(adviceText(sweep(1, 2, 3, 1000), 200)).toMatchObject({
      sentence: expect.stringContaining("Even a capacity of 3"),
      capacity: 200,
    });
    expect(adviceText(sweep(10, 960, 960, 1000), 200)).toMatchObject({
      sentence: expect.stringContaining("The current capacity of 200 already saves almost as much"),
      capacity: 200,
    });
    expect(adviceText(sweep(10, 1000, 1000, 1000), 200).capacity).toBe(2);
  });

  it("recommends no larger cache that would save nothing more", () => {
    expect(adviceText(sweep(1, 3, 3, 1000), 2).capacity).toBe(2);
  });
});

describe("partitions in words", () => {
  it("say why they ended", () => {
    const row = (index: number, live: boolean) => partitionRow(context, figures.partitions, index, live);
    expect(row(0, false).ended).toMatch(/^Manual compaction · .* → .* tokens$/);
    expect(row(1, true).ended).toBe("in progress");
    const { hits, nearHits, runHits } = figures.partitions[1] ?? figures.total;
    expect(row(1, false)).toMatchObject({ ended: "end of the log", repeats: hits + nearHits + runHits });
  });
});

describe("texts from logs", () => {
  it("show invisible characters, and control nothing", () => {
    expect(visible("\u001b[31mred\u001b[0m")).toBe("␛[31mred␛[0m");
    expect(visible("a\u202eb\u2066c\u200b")).toBe("a\ufffdb\ufffdc\ufffd");
    expect(visible("a\nb\tc")).toBe("a b c");
    expect(visibleBlock("a\n\tb\u0000")).toBe("a\n\tb␀");
    expect(visible("é 日本 👍")).toBe("é 日本 👍");
  });

  it("are truncated", () => {
    expect(visible("abcdef", 6)).toBe("abcdef");
    expect(visible("abcdef", 3)).toBe("ab…");
    // No half characters are left over.
    expect(visible("a👍b👍", 3)).toBe("a…");
  });

  it("are named as people refer to them", () => {
    expect(projectName("/home/ana/ladle")).toBe("ladle");
    expect(pathInside("/home/ana/ladle", "/home/ana/ladle/src/a.ts")).toBe("src/a.ts");
    expect(pathInside("C:\\web", "C:/web/src/a.ts")).toBe("src/a.ts");
    expect(pathInside("/home/ana/ladle", "/home/ana/ladles/a.ts")).toBe("/home/ana/ladles/a.ts");
    expect(pathInside("", "/a.ts")).toBe("/a.ts");
    expect(projectName("C:\\Users\\ana\\web\\")).toBe("web");
    expect(projectName("")).toBe("");
  });
});

it("ages and sizes are rounded to what matters", () => {
  const now = Date.parse("2026-07-25T12:00:00Z");
  const age = (iso: string) => ageText(iso, now);
  expect(age("2026-07-25T11:59:30Z")).toBe("now");
  expect(age("2026-07-25T11:48:00Z")).toBe("12 min");
  expect(age("2026-07-25T09:00:00Z")).toBe("3 h");
  expect(age("2026-07-20T09:00:00Z")).toBe("5 d");
  expect(age("2026-02-01T09:00:00Z")).toBe("5 mo");
  expect(age("")).toBe("");
});

it("sentences come in pieces whose calls are links", () => {
  const sentence = pieces("after {call}, {rest}.", { call: { call: 40 }, rest: ["or ", { call: 2 }] });
  expect(sentence).toEqual(["after ", { call: 40 }, ", ", "or ", { call: 2 }, "."]);
  expect(plain(sentence)).toBe("after call 41, or call 3.");
});
