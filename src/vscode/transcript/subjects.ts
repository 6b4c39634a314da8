/** What the transcript says about a call and about what happened between calls, in one line each. */

import type { Mark } from "../../inspect/logData.js";
import { OUTCOMES } from "../../inspect/outcomes.js";
import { grouped } from "../../words/numbers.js";
import { fill, strings } from "../../words/strings.js";
import { texts } from "../strings.js";
import type { Piece } from "./page.js";
import type { StretchContext } from "./stretchContext.js";

const LONGEST_TARGET = 200;

export function callText(row: number): string {
  return fill(strings.app.call, { number: grouped(row + 1) });
}

function linkTo(row: number): Piece {
  return { text: callText(row), row };
}

/** The tool and what it was about. */
export function subjectOf(context: StretchContext, row: number): string {
  // A tool's name is text from a log too: with a line break in it, every line below would be miscounted.
  const tool = oneLine(context.tool(row)) || strings.app.unknownTool;
  const target = oneLine(context.target(row));
  return target === "" ? tool : `${tool} ${target}`;
}

export function tokensOf(context: StretchContext, row: number): string {
  return grouped(Math.round(context.get(row, "chars") / context.stretch.charsPerToken));
}

/** The call that this one refers to: what a hint points at, or what made an earlier copy stale. */
export function referenceOf(context: StretchContext, row: number): number | undefined {
  const [ref, cause] = [context.get(row, "ref") - 1, context.get(row, "cause") - 1];
  return ref >= 0 ? ref : cause >= 0 ? cause : undefined;
}

/** The outcome and its reason, with the other call as a link. */
export function outcomeOf(context: StretchContext, row: number): Piece[] {
  const outcome = OUTCOMES[context.get(row, "outcome")] ?? "hit";
  const other = referenceOf(context, row);
  const { lines, outcomes } = strings;
  const [kind, reason = ""] = outcome.split(":");
  const hint = context.get(row, "cause") - 1;
  if (kind === "hit" && hint >= 0) return withCall(lines.reasked, hint);
  if (kind === "hit" || kind === "nearHit") {
    const name = kind === "hit" ? outcomes.hit : outcomes.nearHit;
    return other === undefined
      ? [name.toLowerCase()]
      : [`${name.toLowerCase()} `, ...withCall(kind === "hit" ? lines.hit : lines.nearHit, other)];
  }
  if (other !== undefined) {
    if (reason === "native") return withCall(lines.native, other);
    if (reason === "realised") return withCall(lines.realised, other);
    if (reason === "invalidated") return withCall(lines.invalidated, other);
  }
  if (reason === "evicted") return [fill(lines.evicted, { capacity: context.stretch.capacity })];
  const alone: Readonly<Record<string, string>> = {
    ...lines,
    native: lines.nativeAlone,
    realised: lines.realisedAlone,
    invalidated: lines.invalidatedAlone,
  };
  return [alone[reason] ?? reason];
}

export function markOf(mark: Mark): Piece[] {
  const { marks } = texts.transcript;
  const n = grouped(mark.dropped.length);
  if (mark.kind === "invalidate") {
    const dropped = mark.dropped[0] ?? -1;
    return dropped < 0 ? [strings.lines.invalidateAlone] : withCall(marks.invalidate, dropped);
  }
  if (mark.kind === "boundary") {
    const { auto, manual, compaction } = strings.lines;
    const trigger = mark.trigger === "auto" ? auto : mark.trigger === "manual" ? manual : compaction;
    return [fill(marks.boundary, { trigger, number: mark.partition - 1, kept: grouped(mark.kept?.length ?? 0) })];
  }
  return [fill(marks[mark.kind], { n })];
}

/** A sentence whose `{call}` becomes a link. */
function withCall(sentence: string, row: number): Piece[] {
  const [before = "", after = ""] = sentence.split("{call}");
  return [before, linkTo(row), after];
}

export function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return plain.length > LONGEST_TARGET ? `${plain.slice(0, LONGEST_TARGET)}…` : plain;
}
