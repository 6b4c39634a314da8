/** What the kernel provides for display, besides figures. */
import { MARK_MEMBERS, type MemberType } from "../dedup/events.js";
import { type Mark, markOf, type RowSources } from "../inspect/logData.js";
import type { MarkKind } from "../inspect/outcomes.js";

const KINDS = Object.keys(MARK_MEMBERS) as MarkKind[];

/** From numbers as `Details` in src/kernel/assembly/details.ts writes them. */
export function marksOf(numbers: Float64Array, nameOf: (name: number) => string | undefined): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  const next = () => numbers[at++] as number;
  const memberOf = (type: MemberType) => {
    const number = next();
    if (type === "text") return nameOf(number);
    if (type === "number") return Number.isNaN(number) ? undefined : number;
    if (type !== "calls") return type[number];
    at += number;
    return [...numbers.subarray(at - number, at)];
  };
  while (at < numbers.length) {
    const kind = KINDS[next()];
    if (kind === undefined) throw new Error("not a mark");
    const [position, line, time, partition] = [next(), next(), next(), next()];
    marks.push(markOf({ kind, position, line, at: nameOf(time) ?? null, partition }, memberOf));
  }
  return marks;
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
