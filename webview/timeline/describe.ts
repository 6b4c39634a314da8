import { percent } from "../../src/words/numbers.js";
import { markSubject, outcomeWords, savedShare } from "../../src/words/outcomeTexts.js";
import { strings } from "../../src/words/strings.js";
import { callText, counted, fill, plural } from "../../src/words/text.js";
import { clockText } from "../words/pageText.js";
import type { Target } from "./layout/hitTest.js";
import type { Scene } from "./layout/scene.js";
import { FAMILIES } from "./model/families.js";
import { KIND } from "./model/paintedKinds.js";
import type { EventMark, TimelineModel } from "./model/timelineModel.js";
import type { TimelineInput } from "./types.js";

/** The facts of what is under the pointer, as the hover card shows them and a screen reader says them. */
export interface Facts {
  readonly title: string;
  readonly lines: readonly string[];
}

/** At most this many calls are named. */
const MAX_NAMED = 4;
/** More uses than this are not worth counting for a card. */
const MAX_USES = 1000;

export interface Subject {
  readonly model: TimelineModel;
  readonly input: TimelineInput;
}

export function summaryOf(model: TimelineModel): string {
  const { counts } = strings;
  return [
    counted(counts.results, model.length),
    counted(counts.repeats, model.repeats(0, model.length)),
    counted(counts.partitions, model.partitions),
  ].join(", ");
}

function nameOf({ input, model }: Subject, row: number): string {
  const tool = input.tools[model.rows.get(row, "tool")] ?? "";
  return [tool, input.targets[row]].filter(Boolean).join(" ");
}

export function factsOfRow(subject: Subject, row: number): Facts {
  const { model } = subject;
  const { counts, timeline: text } = strings;
  const { title, summary } = outcomeWords(model.rows, row);
  const call = (other: number) => `${callText(other)} (${nameOf(subject, other)})`;
  const lines = [[tokensText(model.tokens(row)), title, summary].join(" · ")];
  const [reference = -1, ...others] = model.references(row);
  if (others.length > 0) {
    const calls = [reference, ...others].slice(0, MAX_NAMED).map(callText).join(", ");
    lines.push(fill(text.partly, { share: savedShare(model.rows, row), calls }));
  } else if (reference >= 0) {
    lines.push(fill(text.refersTo, { call: call(reference), distance: counted(counts.results, row - reference) }));
  }
  const saved = model.savings?.chars.get(row) ?? 0;
  if (model.savings !== undefined && saved > 0) {
    lines.push(
      fill(text.wouldSave, {
        name: model.savings.name,
        tokens: tokensText(saved / model.charsPerToken),
        share: percent(model.savedShare(row), 1),
      }),
    );
  }
  const cause = model.cause(row);
  if (cause >= 0) lines.push(fill(text.causedBy, { call: call(cause) }));
  const invalidatedBy = model.invalidations.causeOf(row);
  if (invalidatedBy >= 0) lines.push(fill(text.invalidatedBy, { call: call(invalidatedBy) }));
  const invalidations = model.rows.get(row, "invalidations");
  if (invalidations > 0) lines.push(counted(text.invalidates, invalidations));
  const uses = model.uses.of(row, MAX_USES).length;
  if (uses > 0) lines.push(counted(text.usedBy, uses));
  const size = model.sizes.after(row + 1);
  if (size > 0) lines.push(fill(text.contextSize, { tokens: tokensText(size) }));
  const seconds = model.rows.get(row, "at");
  const place = fill(text.place, { number: row + 1, partition: model.partitionOf(row) });
  lines.push([place, clockText(seconds)].filter(Boolean).join(" · "));
  return { title: nameOf(subject, row), lines };
}

function tokensText(tokens: number): string {
  return counted(strings.counts.tokens, Math.round(tokens));
}

/** "Auto-compaction · 167k → 12k tokens · 2 kept" */
export function eventLabel(event: EventMark): string {
  const { kept, dropped } = strings.timeline;
  const parts = [markSubject(event)];
  if (event.kind === "boundary") parts.push(counted(kept, event.kept?.length ?? 0));
  else if (event.dropped.length > 0) parts.push(counted(dropped, event.dropped.length));
  return parts.join(" · ");
}

function factsOfEvent(event: EventMark): Facts {
  const lines = event.kind === "boundary" ? [counted(strings.timeline.dropped, event.dropped.length)] : [];
  if (!Number.isNaN(event.seconds)) lines.push(clockText(event.seconds));
  return { title: eventLabel(event), lines };
}

function factsOfCell({ axis, level, model }: Scene, cell: number): Facts {
  if (level === null) return { title: "", lines: [] };
  const { counts, timeline: text } = strings;
  const family = FAMILIES[level.family(cell)] ?? "other";
  const repeating = [KIND.hit, KIND.nearHit, KIND.partial].reduce((sum, kind) => sum + level.count(cell, kind), 0);
  const from = Math.max(0, Math.ceil(axis.rowAt(level.start(cell))));
  const to = Math.min(model.length, Math.ceil(axis.rowAt(level.start(cell) + level.width)));
  return {
    title: `${text.families[family].name} · ${counted(counts.results, level.total(cell))}`,
    lines: [counted(counts.repeats, repeating), fill(text.resultsFromTo, { from: from + 1, to })],
  };
}

export function factsOf(subject: Subject, scene: Scene, target: Target): Facts {
  const { model } = subject;
  if (target.kind === "row") return factsOfRow(subject, target.row);
  if (target.kind === "cell") return factsOfCell(scene, target.cell);
  if (target.kind === "event") return factsOfEvent(target.event);
  const { partition } = target;
  const [from, to] = [model.partitionStart(partition), model.partitionEnd(partition)];
  const { saved, repeatsOf } = strings.timeline;
  const repeats = model.repeats(from, to);
  return {
    title: fill(strings.bar.partitionNumber, { number: partition }),
    lines: [
      fill(saved, { tokens: tokensText(model.savedTokens(from, to)) }),
      fill(plural(repeatsOf, repeats), { repeats, results: counted(strings.counts.results, to - from) }),
    ],
  };
}

/** One sentence per fact, for the live region. */
export function spoken({ title, lines }: Facts): string {
  return [title, ...lines.flatMap(line => line.split(" · "))].join(". ");
}
