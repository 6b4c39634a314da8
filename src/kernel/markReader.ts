/** What the kernel provides for display, besides figures. */
import { DROP_KINDS } from "../dedup/events.js";
import { HINT_LEVELS } from "../dedup/fallback.js";
import type { Mark, RowSources } from "../inspect/logData.js";
import * as Layout from "./layout.js";
import { CLEARED_BY } from "./packedFacts.js";

/** From numbers as `Details` in src/kernel/assembly/details.ts writes them. */
export function marksOf(numbers: Float64Array, nameOf: (name: number) => string | undefined): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  const next = () => numbers[at++] as number;
  const list = () => {
    const from = at + 1;
    at = from + (numbers[at] as number);
    return [...numbers.subarray(from, at)];
  };
  while (at < numbers.length) {
    const code = next();
    const [position, line, time, partition] = [next(), next(), next(), next()];
    const place = { position, line, at: nameOf(time) ?? null, partition, dropped: list() };
    marks.push(markOf(code, place, next, list, nameOf));
  }
  return marks;
}

function markOf(
  code: number,
  place: Omit<Mark, "kind">,
  next: () => number,
  list: () => number[],
  nameOf: (name: number) => string | undefined,
): Mark {
  switch (code) {
    case Layout.MARK_INVALIDATE:
      return { kind: "invalidate", ...place, by: "path" };
    case Layout.MARK_INVALIDATE_BY_TOOL:
      return { kind: "invalidate", ...place, by: "tool" };
    case Layout.MARK_BOUNDARY: {
      const trigger = nameOf(next());
      const [preTokens, postTokens] = [next(), next()];
      return {
        kind: "boundary",
        ...place,
        kept: list(),
        ...(trigger !== undefined && { trigger }),
        ...(!Number.isNaN(preTokens) && { preTokens }),
        ...(!Number.isNaN(postTokens) && { postTokens }),
      };
    }
    case Layout.MARK_CLEAR:
      return { kind: "clear", ...place, by: CLEARED_BY[next()] ?? "microcompact" };
    case Layout.MARK_FALLBACK: {
      const level = HINT_LEVELS[next()] ?? "none";
      return { kind: "fallback", ...place, level, hinted: next(), asked: next() };
    }
    default: {
      const kind = DROP_KINDS[code - Layout.MARK_DROP];
      if (kind === undefined) throw new Error("not a mark");
      return { kind, ...place };
    }
  }
}

/** For each row with runs, the rows that contain its lines, those with the most lines first. */
export function sourcesOf(words: Uint32Array): RowSources[] {
  const all: RowSources[] = [];
  for (let at = 0; at < words.length; ) {
    const row = words[at] as number;
    const end = at + 2 + 2 * (words[at + 1] as number);
    const bytes = new Map<number, number>();
    for (at += 2; at < end; at += 2) {
      const source = (words[at] as number) - 1;
      if (source >= 0) bytes.set(source, (bytes.get(source) ?? 0) + (words[at + 1] as number));
    }
    all.push({ row, sources: [...bytes].sort(([, one], [, other]) => other - one).map(([from]) => from) });
  }
  return all;
}
