import type { ContextUse } from "../../src/inspect/contextUse.js";
import type { Cost } from "../../src/inspect/cost.js";
import { type Figures, rounded } from "../../src/inspect/figures.js";
import { GATE_OF } from "../../src/inspect/gates.js";
import type { Outcome } from "../../src/inspect/outcomes.js";
import type { Calibration } from "../../src/log/calibration.js";
import type { PanelState } from "../../src/protocol/messages.js";
import { contextBasis, contextValue, realisedBasis, savedBasis } from "../../src/words/figureTexts.js";
import { gateName } from "../../src/words/outcomeTexts.js";
import type { ContextFigures } from "../lib/contextFigures.js";
import type { KindFilter } from "../lib/filter.js";
import { counted, fill, moneyText, percent, strings, timeText, tokensText } from "./pageText.js";

/** One figure in words. */
export interface FigureText {
  readonly key: "saved" | "realised" | "worth" | "native" | "rest" | "results" | "context";
  readonly label: string;
  readonly value: string;
  /** What the value is based on, in a few words. */
  readonly basis: string;
  /** What it means, in sentences. */
  readonly about: string;
  /** What a click does: list the events behind it, explain where everything went, or turn live hints on. */
  readonly leads: KindFilter | "breakdown" | "turnOn";
}

export interface FigureBasis {
  readonly figures: ContextFigures;
  readonly calibration: Calibration;
  readonly worth: Cost;
  /** How live hints are on for this project, if known. */
  readonly liveHints?: PanelState["liveHints"] | undefined;
}

/** The answer first. A figure that is zero or unknown is left out. */
export function figureTexts({ figures: { total, rest }, ...basis }: FigureBasis): FigureText[] {
  const figures = rounded(total);
  return [
    savedText(figures, basis.calibration),
    realisedText(figures, basis.liveHints),
    worthText(basis.worth, figures),
    nativeText(figures),
    restText(figures, rest),
  ].filter(text => text !== undefined);
}

function about(sentence: string): string {
  return `${sentence} ${strings.figures.listThem}`;
}

function savedText(figures: Figures, calibration: Calibration): FigureText {
  const text = strings.figures;
  const results = counted(strings.counts.results, figures.results);
  if (figures.savedTokens === 0) {
    const basis = fill(text.nothingRepeats, { results });
    return {
      key: "results",
      label: text.inResults,
      value: tokensText(figures.tokens),
      basis,
      about: about(text.resultsAbout),
      leads: "all",
    };
  }
  const ratio = calibration.charsPerToken.toFixed(2);
  return {
    key: "saved",
    label: text.saved,
    value: tokensText(figures.savedTokens),
    basis: savedBasis(figures, calibration.medianAbsError),
    about: about(fill(text.savedAbout, { ratio, calibration: measured(calibration) })),
    leads: "hit",
  };
}

function realisedText(figures: Figures, liveHints: PanelState["liveHints"] | undefined): FigureText | undefined {
  const text = strings.figures;
  const { realised } = figures.bypassed;
  const figure = { key: "realised", label: text.realised } as const;
  if (realised > 0) {
    const unknown = isUnknown(figures.realisedTokens, realised);
    const sentence = [
      text.realisedAbout,
      ...(unknown ? [text.realisedUnknown] : []),
      ...(liveHints === undefined ? [] : [text.realisedDoors[liveHints]]),
    ].join(" ");
    const value = unknown ? strings.app.unknown : tokensText(figures.realisedTokens);
    return { ...figure, value, basis: realisedBasis(figures), about: about(sentence), leads: "gate:realised" };
  }
  if (liveHints === undefined) return undefined;
  if (liveHints === "off") {
    return { ...figure, value: text.off, basis: text.turnOn, about: text.turnOnAbout, leads: "turnOn" };
  }
  const sentence = `${text.realisedAbout} ${text.realisedDoors[liveHints]}`;
  return { ...figure, value: text.on, basis: text.realisedOn, about: sentence, leads: "gate:realised" };
}

function worthText(worth: Cost, { carriedTokens }: Figures): FigureText | undefined {
  if (worth.usd === null || worth.usd === 0) return undefined;
  const text = strings.figures;
  const basis = fill(text.worthBasis, { tokens: tokensText(carriedTokens) });
  const { unpricedTokens } = worth;
  const leftOut = unpricedTokens > 0 && fill(text.worthLeftOut, { tokens: tokensText(unpricedTokens) });
  return {
    key: "worth",
    label: text.worth,
    value: moneyText(worth),
    basis,
    about: about([text.worthAbout, leftOut].filter(Boolean).join(" ")),
    leads: "hit",
  };
}

function nativeText({ nativeTokens, bypassed: { native } }: Figures): FigureText | undefined {
  if (native === 0 || isUnknown(nativeTokens, native)) return undefined;
  const text = strings.figures;
  const basis = counted(strings.counts.rereads, native);
  return {
    key: "native",
    label: text.native,
    value: tokensText(nativeTokens),
    basis,
    about: about(text.nativeAbout),
    leads: "gate:native",
  };
}

/** Where the rest went that hints would not save: the largest part, and the next two. */
function restText({ tokens, savedTokens }: Figures, rest: ContextFigures["rest"]): FigureText | undefined {
  const text = strings.figures;
  const [largest, ...others] = [...rest]
    .filter(([outcome, part]) => outcome !== "hit" && outcome !== "nearHit" && part >= tokens * MIN_SHARE)
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, part]) => fill(text.restPart, { share: percent(part, tokens), what: restName(outcome) }));
  if (largest === undefined || tokens === 0) return undefined;
  const label = savedTokens > 0 ? text.rest : text.all;
  const basis = others.slice(0, 2).join(" · ");
  return { key: "rest", label, value: largest, basis, about: text.restAbout, leads: "breakdown" };
}

/** What the model had not seen before is several rows of the breakdown, so it is not called what one of them is. */
function restName(outcome: Outcome): string {
  return outcome === "miss:new" ? strings.figures.notSeen : gateName(GATE_OF[outcome]);
}

/** Smaller parts are not worth the space. */
const MIN_SHARE = 0.005;

/** How full the context is, and until when its prompt is cached. `now` in milliseconds. */
export function contextText(use: ContextUse, now: number): FigureText {
  const text = strings.contextUse;
  const { window, cachedUntil } = use;
  return {
    key: "context",
    label: text.label,
    value: contextValue(use),
    basis: contextBasis(use, now, seconds => timeText(seconds, now)),
    about: [
      text.about,
      window === undefined ? text.windowUnknown : "",
      cachedUntil === undefined ? "" : text.cacheAbout,
      text.listThem,
    ]
      .filter(Boolean)
      .join(" "),
    leads: "boundary",
  };
}

/** Stubs or hints whose originals are not in the log saved an unknown amount. */
function isUnknown(saved: number, count: number): boolean {
  return count > 0 && saved === 0;
}

function measured({ basis, samples, medianAbsError }: Calibration): string {
  const text = strings.figures;
  if (basis === "setting") return text.bySetting;
  if (basis === "default" || medianAbsError === null) return text.byDefault;
  const values = { samples: counted(strings.counts.requests, samples), error: percent(medianAbsError, 1) };
  return fill(basis === "session" ? text.bySession : text.byModel, values);
}
