import type { ContextUse } from "../../src/inspect/contextUse.js";
import { type Figures, rounded } from "../../src/inspect/figures.js";
import type { Calibration } from "../../src/log/calibration.js";
import { errorBand, forgoneHits, reasonCounts } from "../../src/words/figureTexts.js";
import type { ContextFigures } from "../lib/contextFigures.js";
import type { KindFilter } from "../lib/filter.js";
import { counted, fill, percent, short, strings, timeText, tokensText } from "./text.js";

/** One figure in words. */
export interface FigureText {
  readonly key: "saved" | "carried" | "native" | "realised" | "forgone" | "results" | "context";
  readonly label: string;
  readonly value: string;
  /** What the value rests on, in a few words. */
  readonly basis: string;
  /** What it means, in sentences. */
  readonly about: string;
  /** The events behind it. */
  readonly kind: KindFilter;
}

/** How full the context is, and until when its prompt is cached. `now` in milliseconds. */
export function contextText({ tokens, window, cachedUntil }: ContextUse, now: number): FigureText {
  const text = strings.contextUse;
  const isCached = cachedUntil !== undefined && cachedUntil * 1000 > now;
  const cache =
    cachedUntil === undefined
      ? []
      : [fill(isCached ? text.cached : text.expired, { time: timeText(cachedUntil, now) })];
  const share = window === undefined ? [] : [fill(text.share, { share: percent(tokens, window) })];
  return {
    key: "context",
    label: text.label,
    value:
      window === undefined
        ? tokensText(tokens)
        : fill(text.value, { tokens: short(tokens), window: short(window).replace(".0", "") }),
    basis: [...share, ...cache].join(" · ") || text.basis,
    about: [
      text.about,
      window === undefined ? text.windowUnknown : "",
      cachedUntil === undefined ? "" : text.cacheAbout,
      text.listThem,
    ]
      .filter(Boolean)
      .join(" "),
    kind: "boundary",
  };
}

/** `liveHints`: whether they are on for this project, where that is known. */
export function figureTexts(
  { total, requests }: ContextFigures,
  calibration: Calibration,
  liveHints?: boolean,
): FigureText[] {
  const text = strings.figures;
  const figures = rounded(total);
  const { native, realised } = figures.bypassed;
  const hits = figures.hits + figures.nearHits;
  const about = (sentence: string) => `${sentence} ${text.listThem}`;
  return [
    {
      key: "saved",
      label: text.saved,
      value: tokensText(figures.savedTokens),
      basis: fill(text.savedBasis, {
        band: errorBand(calibration.medianAbsError),
        share: percent(figures.savedTokens, figures.tokens),
      }),
      about: about(
        fill(text.savedAbout, { ratio: calibration.charsPerToken.toFixed(2), calibration: measured(calibration) }),
      ),
      kind: "hit",
    },
    {
      key: "carried",
      label: fill(text.carried, { requests: counted(strings.counts.laterRequests, requests) }),
      value: short(figures.carriedTokens),
      basis: text.carriedBasis,
      about: about(text.carriedAbout),
      kind: "hit",
    },
    {
      key: "forgone",
      label: text.forgone,
      value: counted(strings.counts.hits, forgoneHits(figures)),
      basis: reasonCounts(figures.forgone) || text.forgoneNone,
      about: about(text.forgoneAbout),
      kind: "forgone",
    },
    {
      key: "native",
      label: text.native,
      value: known(figures.nativeTokens, native),
      basis: counted(strings.counts.rereads, native),
      about: about(`${text.nativeAbout}${isUnknown(figures.nativeTokens, native) ? ` ${text.nativeUnknown}` : ""}`),
      kind: "gate:native",
    },
    {
      key: "realised",
      label: text.realised,
      value: known(figures.realisedTokens, realised),
      basis: realised === 0 ? withoutHints(liveHints) : realisedShare(figures),
      about: about(
        `${text.realisedAbout}${isUnknown(figures.realisedTokens, realised) ? ` ${text.realisedUnknown}` : ""}`,
      ),
      kind: "gate:realised",
    },
    {
      key: "results",
      label: text.inResults,
      value: tokensText(figures.tokens),
      basis: fill(text.resultsBasis, {
        results: counted(strings.counts.results, figures.results),
        hits: counted(strings.counts.hits, hits),
      }),
      about: about(text.resultsAbout),
      kind: "all",
    },
  ];
}

function withoutHints(liveHints: boolean | undefined): string {
  const { realisedNone, realisedOn, realisedOff } = strings.figures;
  return liveHints === undefined ? realisedNone : liveHints ? realisedOn : realisedOff;
}

/** What was realised of the estimate: of all that repeats and can be pointed at. */
function realisedShare({ bypassed, realisedTokens, savedTokens }: Figures): string {
  const text = strings.figures;
  const hints = counted(strings.counts.hints, bypassed.realised);
  if (realisedTokens <= 0) return hints;
  return fill(text.realisedShare, { hints, share: percent(realisedTokens, realisedTokens + savedTokens) });
}

/** Stubs or hints whose originals are not in the log saved something, and nobody can say how much. */
function isUnknown(saved: number, count: number): boolean {
  return count > 0 && saved === 0;
}

function known(saved: number, count: number): string {
  return isUnknown(saved, count) ? strings.app.unknown : tokensText(saved);
}

function measured({ basis, samples, medianAbsError }: Calibration): string {
  const text = strings.figures;
  if (basis === "setting") return text.bySetting;
  if (basis === "default" || medianAbsError === null) return text.byDefault;
  const values = { samples: counted(strings.counts.requests, samples), error: percent(medianAbsError, 1) };
  return fill(basis === "session" ? text.bySession : text.byModel, values);
}
