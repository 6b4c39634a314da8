import { OUTCOMES } from "../../src/inspect/outcomes.js";
import { percent, short } from "../../src/words/numbers.js";
import type { Target } from "./layout/hitTest.js";
import type { Scene } from "./layout/scene.js";
import { FAMILIES } from "./model/families.js";
import { KIND } from "./model/kinds.js";
import type { EventMark, TimelineModel } from "./model/timelineModel.js";
import { fill, type TimelineStrings } from "./strings.js";
import type { TimelineInput } from "./types.js";

/** The facts of what is under the pointer, as the hover card shows them and a screen reader says them. */
export interface Facts {
  readonly title: string;
  readonly lines: readonly string[];
}

/** More uses than this are not worth counting for a card. */
const MOST_USES = 1000;

export interface Words {
  readonly model: TimelineModel;
  readonly input: TimelineInput;
  readonly strings: TimelineStrings;
}

export function summaryOf({ model, strings }: Omit<Words, "input">): string {
  return [
    fill(strings.results, { n: model.length }),
    fill(strings.hits, { n: model.hits(0, model.length) }),
    fill(strings.partitions, { n: model.partitions }),
  ].join(", ");
}

/** People number calls from 1. */
export function callName(strings: TimelineStrings, row: number): string {
  return fill(strings.call, { n: row + 1 });
}

function nameOf({ input, model }: Words, row: number): string {
  const tool = input.tools[model.rows.get(row, "tool")] ?? "";
  return [tool, input.targets[row]].filter(Boolean).join(" ");
}

export function factsOfRow(words: Words, row: number): Facts {
  const { model, strings } = words;
  const outcome = OUTCOMES[model.rows.get(row, "outcome")] ?? "miss:new";
  const call = (other: number) => `${callName(strings, other)} (${nameOf(words, other)})`;
  const tokens = fill(strings.tokens, { n: Math.round(model.tokens(row)) });
  const lines = [`${tokens} · ${strings.outcomes[outcome]}`];
  const reference = model.reference(row);
  if (reference >= 0) {
    const distance = fill(strings.results, { n: row - reference });
    lines.push(fill(strings.refersTo, { call: call(reference), distance }));
  }
  const saved = model.savings?.chars.get(row) ?? 0;
  if (model.savings !== undefined && saved > 0) {
    lines.push(
      fill(strings.wouldSave, {
        name: model.savings.name,
        tokens: fill(strings.tokens, { n: Math.round(saved / model.charsPerToken) }),
        share: percent(model.savedShare(row), 1),
      }),
    );
  }
  const cause = model.cause(row);
  if (cause >= 0) lines.push(fill(strings.causedBy, { call: call(cause) }));
  const invalidatedBy = model.invalidations.causeOf(row);
  if (invalidatedBy >= 0) lines.push(fill(strings.invalidatedBy, { call: call(invalidatedBy) }));
  const invalidations = model.rows.get(row, "invalidations");
  if (invalidations > 0) lines.push(fill(strings.invalidates, { n: invalidations }));
  const evicted = model.rows.get(row, "evicted") - 1;
  if (evicted >= 0) lines.push(fill(strings.pushedOut, { call: callName(strings, evicted) }));
  const uses = model.uses.of(row, MOST_USES).length;
  if (uses > 0) lines.push(fill(strings.usedBy, { n: uses }));
  const seconds = model.rows.get(row, "at");
  const place = fill(strings.place, { n: row + 1, partition: model.partitionOf(row) });
  lines.push(seconds > 0 ? `${place} · ${dateAndTime(seconds)}` : place);
  return { title: nameOf(words, row), lines };
}

/** "compacted · auto · 167k → 12k · 2 kept" */
export function eventLabel(strings: TimelineStrings, event: EventMark): string {
  const parts = [strings.events[event.kind]];
  if (event.trigger !== undefined) parts.push(event.trigger);
  if (event.preTokens !== undefined && event.postTokens !== undefined) {
    parts.push(`${short(event.preTokens)} → ${short(event.postTokens)}`);
  }
  if (event.kind === "boundary") parts.push(fill(strings.kept, { n: event.kept?.length ?? 0 }));
  else if (event.dropped.length > 0) parts.push(fill(strings.dropped, { n: event.dropped.length }));
  return parts.join(" · ");
}

function factsOfEvent(strings: TimelineStrings, event: EventMark): Facts {
  const lines = event.kind === "boundary" ? [fill(strings.dropped, { n: event.dropped.length })] : [];
  if (!Number.isNaN(event.seconds)) lines.push(dateAndTime(event.seconds));
  return { title: eventLabel(strings, event), lines };
}

function factsOfCell({ axis, level, model }: Scene, strings: TimelineStrings, cell: number): Facts {
  if (level === null) return { title: "", lines: [] };
  const family = FAMILIES[level.family(cell)] ?? "other";
  const hits = level.count(cell, KIND.hit) + level.count(cell, KIND.nearHit);
  const from = Math.max(0, Math.ceil(axis.rowAt(level.start(cell))));
  const to = Math.min(model.length, Math.ceil(axis.rowAt(level.start(cell) + level.width)));
  return {
    title: `${strings.families[family].name} · ${fill(strings.results, { n: level.total(cell) })}`,
    lines: [fill(strings.hits, { n: hits }), fill(strings.resultsFromTo, { from: from + 1, to })],
  };
}

export function factsOf(words: Words, scene: Scene, target: Target): Facts {
  const { model, strings } = words;
  if (target.kind === "row") return factsOfRow(words, target.row);
  if (target.kind === "cell") return factsOfCell(scene, strings, target.cell);
  if (target.kind === "event") return factsOfEvent(strings, target.event);
  const { partition } = target;
  const [from, to] = [model.partitionStart(partition), model.partitionEnd(partition)];
  return {
    title: fill(strings.partition, { n: partition }),
    lines: [
      fill(strings.saved, { tokens: fill(strings.tokens, { n: Math.round(model.savedTokens(from, to)) }) }),
      fill(strings.hitsOf, { hits: model.hits(from, to), results: to - from }),
    ],
  };
}

/** One sentence per fact, for the live region. */
export function spoken({ title, lines }: Facts): string {
  return [title, ...lines.flatMap(line => line.split(" · "))].join(". ");
}

/** Local date and time of a moment in seconds since 1970. */
function dateAndTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}
