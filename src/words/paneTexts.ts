/**
 * A small version of the Dedup panel, as lines of text: what the mod draws in Claude Code, and what its command prints
 * if nothing can draw it. The words are complete on their own: tones are only visual aids.
 */
import type { ContextUse } from "../inspect/contextUse.js";
import type { Figures } from "../inspect/figures.js";
import { kindAt, wouldSave } from "../inspect/outcomes.js";
import type { ResultRows } from "../inspect/rows.js";
import type { Calibration } from "../log/calibration.js";
import { contextBasis, contextValue, realisedBasis, savedBasis } from "./figureTexts.js";
import { clockTime, percent } from "./numbers.js";
import { named, otherCall, outcomePieces } from "./outcomeTexts.js";
import { strings } from "./strings.js";
import { callText, counted, cut, fill, type Piece, pieces, tokensText, visible } from "./text.js";

export interface PaneBasis {
  /** Rounded. */
  readonly figures: Figures;
  readonly calibration: Calibration;
  readonly use: ContextUse | undefined;
  /** If false, the prompt may be cached for longer than `use` says. */
  readonly isCacheKnown: boolean;
  readonly capacity: number;
  readonly rows: ResultRows;
  /** The names that rows refer to, and each row's subject. */
  readonly tools: readonly string[];
  readonly targets: readonly string[];
  /** By row that repeats in part, the calls that contain its lines. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
  /** Whether live hints are given in this session. */
  readonly isOn: boolean;
  /** The session was resumed: what it no longer held at that point is not counted. */
  readonly isResumed: boolean;
}

/** A part of a line. */
export interface PanePart {
  readonly text: string;
  readonly tone: "plain" | "strong" | "faint" | "good";
}

export type PaneLine = readonly PanePart[];

export interface PaneSize {
  /** In characters. */
  readonly width: number;
  /** How many of the latest results to show. */
  readonly results: number;
}

/** Below this width, anything that does not fit gets a line of its own; above it, it is cut. */
const NARROW = 76;

/** `now` in milliseconds. The newest result comes first. */
export function paneLines(basis: PaneBasis, now: number, { width, results }: PaneSize): PaneLine[] {
  const figures = [savedLine(basis), realisedLine(basis), contextLine(basis, now)].filter(line => line !== undefined);
  const { length } = basis.rows;
  const shown = Array.from({ length: Math.min(results, length) }, (_, at) => resultLine(basis, length - 1 - at));
  const list = shown.length === 0 ? [] : [[], [faint(strings.pane.last)], ...resultLines(shown, width)];
  const note = basis.isResumed ? [[], [faint(strings.pane.resumed)]] : [];
  return [...figureLines(figures, width), ...list, ...note].map(line => fitted(line, width));
}

/** The session in a few words; "" if there is nothing to show. */
export function shortLine({ figures, use }: PaneBasis): string {
  const { tokens, savedTokens, realisedTokens } = figures;
  return [
    ...(use?.window === undefined
      ? []
      : [`${strings.contextUse.label} ${fill(strings.contextUse.share, { share: percent(use.tokens, use.window) })}`]),
    ...(savedTokens > 0 ? [fill(strings.status.repeats, { share: percent(savedTokens, tokens) })] : []),
    ...(realisedTokens > 0 ? [fill(strings.status.saved, { saved: tokensText(realisedTokens) })] : []),
  ].join(" · ");
}

export function plainLine(line: PaneLine): string {
  return line
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

interface FigureLine {
  readonly label: string;
  readonly value: string;
  readonly basis: string;
}

function savedLine({ figures, calibration }: PaneBasis): FigureLine {
  const text = strings.figures;
  if (figures.savedTokens > 0) {
    const basis = savedBasis(figures, calibration.medianAbsError);
    return { label: text.saved, value: tokensText(figures.savedTokens), basis };
  }
  const results = counted(strings.counts.results, figures.results);
  const basis = fill(figures.bypassed.realised > 0 ? strings.pane.nothingElse : text.nothingRepeats, { results });
  return { label: text.saved, value: tokensText(0), basis };
}

function realisedLine({ figures, isOn }: PaneBasis): FigureLine {
  const text = strings.figures;
  if (figures.bypassed.realised > 0) {
    return { label: text.realised, value: tokensText(figures.realisedTokens), basis: realisedBasis(figures) };
  }
  return { label: text.realised, value: isOn ? text.on : text.off, basis: isOn ? text.realisedOn : "" };
}

function contextLine({ use, isCacheKnown }: PaneBasis, now: number): FigureLine | undefined {
  if (use === undefined) return undefined;
  const figure = { label: strings.contextUse.label, value: contextValue(use) };
  const { cachedUntil = 0 } = use;
  if (isCacheKnown || cachedUntil === 0) return { ...figure, basis: contextBasis(use, now, clockTime) };
  const share = contextBasis({ ...use, cachedUntil: undefined }, now, clockTime);
  const cache = cachedUntil * 1000 > now ? [fill(strings.pane.cachedAtLeast, { time: clockTime(cachedUntil) })] : [];
  return { ...figure, basis: [share, ...cache].join(" · ") };
}

function figureLines(lines: readonly FigureLine[], width: number): PaneLine[] {
  const [labels, values] = [widest(lines.map(line => line.label)), widest(lines.map(line => line.value))];
  const isCramped = width < NARROW && labels + values + widest(lines.map(line => line.basis)) + 2 * GAP > width;
  return lines.flatMap(({ label, value, basis }): PaneLine[] => {
    const head = [faint(label.padEnd(labels + GAP)), strong(value)];
    if (isCramped) return [head, ...(basis === "" ? [] : [[faint(`${INDENT}${basis}`)]])];
    return [[...head, faint(`${" ".repeat(values - value.length + GAP)}${basis}`)]];
  });
}

interface ResultLine {
  readonly number: string;
  readonly call: string;
  /** How much of it repeats; "" if nothing. */
  readonly share: string;
  /** What happened to it, and where its text is. */
  readonly outcome: string;
}

function resultLine(basis: PaneBasis, row: number): ResultLine {
  const { rows, capacity, sources } = basis;
  const kind = kindAt(rows, row);
  const [saved, chars] = [rows.get(row, "savedChars"), rows.get(row, "chars")];
  const wasSaved = kind === "realised" || kind === "native";
  const share =
    saved === 0 ? "" : wasSaved ? percent(saved, saved + chars) : wouldSave(kind) ? percent(saved, chars) : "";
  const calls = sources.get(row) ?? [];
  const other = otherCall(rows, row);
  const phrase: readonly Piece[] =
    kind === "partial" && (calls.length > 0 || other !== undefined)
      ? pieces(strings.pane.where, { call: named(calls.length > 0 ? calls : [other ?? -1]) })
      : outcomePieces(rows, row, { capacity, sources, beside: "text" });
  const subject = subjectOf(basis, row);
  const outcome = phrase.map(piece => (typeof piece === "string" ? piece : calledText(basis, piece.call, subject)));
  return { number: String(row + 1), call: subject, share, outcome: outcome.join("") };
}

/** A call is named by its number, and by its subject if that is different. */
function calledText(basis: PaneBasis, row: number, beside: string): string {
  const subject = subjectOf(basis, row);
  return subject === beside ? callText(row) : fill(strings.pane.call, { call: callText(row), subject });
}

function subjectOf({ rows, tools, targets }: PaneBasis, row: number): string {
  const tool = tools[rows.get(row, "tool")] || strings.app.unknownTool;
  return visible(`${tool} ${targets[row] ?? ""}`.trimEnd(), MAX_SUBJECT);
}

function resultLines(lines: readonly ResultLine[], width: number): PaneLine[] {
  const [numbers, shares] = [widest(lines.map(line => line.number)), widest(lines.map(line => line.share))];
  const rest = width - numbers - shares - 2 * GAP;
  const [longestCall, longestOutcome] = [widest(lines.map(line => line.call)), widest(lines.map(line => line.outcome))];
  const isCramped = width < NARROW && longestCall + GAP + longestOutcome > rest;
  const calls = Math.min(longestCall, Math.max(Math.ceil(rest / 2), rest - GAP - longestOutcome));
  return lines.flatMap(({ number, call, share, outcome }): PaneLine[] => {
    const isSaved = share !== "";
    const head = [faint(number.padStart(numbers)), { text: share.padStart(shares + GAP), tone: "good" } as const];
    const ending = isSaved ? plain(outcome) : faint(outcome);
    if (isCramped) {
      const subject = plain(`${" ".repeat(GAP)}${cut(call, Math.max(MIN_SUBJECT, rest))}`);
      return [
        [...head, subject],
        [plain(" ".repeat(numbers + shares + 2 * GAP)), ending],
      ];
    }
    return [[...head, plain(`${" ".repeat(GAP)}${cut(call, calls).padEnd(calls + GAP)}`), ending]];
  });
}

const GAP = 2;
const INDENT = "  ";
/** Names of calls are cut to what is left of a line, but never to nothing. */
const MIN_SUBJECT = 8;
const MAX_SUBJECT = 200;

/** Cuts a line to the width. */
function fitted(line: PaneLine, width: number): PaneLine {
  let left = width;
  return line.flatMap(part => {
    const text = left <= 0 ? "" : cut(part.text, left);
    left -= part.text.length;
    return text === "" ? [] : [{ ...part, text }];
  });
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(text => text.length));
}

const plain = (text: string): PanePart => ({ text, tone: "plain" });
const strong = (text: string): PanePart => ({ text, tone: "strong" });
const faint = (text: string): PanePart => ({ text, tone: "faint" });
