/** What the transcript says about a call and about what happened between calls, in one line each. */

import type { Mark } from "../../inspect/contextModel.js";
import { grouped } from "../../inspect/numbers.js";
import { OUTCOMES } from "../../inspect/outcomes.js";
import type { LiveContext } from "../../protocol/apply.js";
import { fill, strings } from "../../protocol/strings.js";
import { texts } from "../strings.js";
import type { Piece } from "./page.js";

const LONGEST_TARGET = 200;

export function callText(row: number): string {
  return fill(strings.app.call, { number: grouped(row + 1) });
}

function linkTo(row: number): Piece {
  return { text: callText(row), row };
}

/** The tool and what it was about. */
export function subjectOf(context: LiveContext, row: number): string {
  const tool = context.tools[context.rows.get(row, "tool")] || strings.app.unknownTool;
  const target = oneLine(context.targets[row] ?? "");
  return target === "" ? tool : `${tool} ${target}`;
}

export function tokensOf(context: LiveContext, row: number): string {
  return grouped(Math.round(context.rows.get(row, "chars") / context.calibration.charsPerToken));
}

/** The call that this one refers to: what a hint points at, or what made an earlier copy stale. */
export function referenceOf(context: LiveContext, row: number): number | undefined {
  const [ref, cause] = [context.rows.get(row, "ref") - 1, context.rows.get(row, "cause") - 1];
  return ref >= 0 ? ref : cause >= 0 ? cause : undefined;
}

/** The outcome and its reason, with the other call as a link. */
export function outcomeOf(context: LiveContext, row: number, capacity: number): Piece[] {
  const outcome = OUTCOMES[context.rows.get(row, "outcome")] ?? "hit";
  const other = referenceOf(context, row);
  const { lines, outcomes } = strings;
  const [kind, reason = ""] = outcome.split(":");
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
  if (reason === "evicted") return [fill(lines.evicted, { capacity })];
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

function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return plain.length > LONGEST_TARGET ? `${plain.slice(0, LONGEST_TARGET)}…` : plain;
}
