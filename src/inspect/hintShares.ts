/** Which live hints models ask for again: by kind, tool, size and distance. */
import type { LiveHint } from "../dedup/runs/runHints.js";
import type { ContextData } from "./logData.js";
import type { ResultRows } from "./rows.js";

/** A context with its rows unpacked. */
export type ContextRows = Omit<ContextData, "rows"> & { readonly rows: ResultRows };

/** How hints are grouped. */
export const HINT_TRAITS = ["kind", "tool", "size", "distance"] as const;
export type HintTrait = (typeof HINT_TRAITS)[number];

export interface HintShare {
  readonly by: HintTrait;
  /** A kind of hint, a tool, or the upper end of a class: of characters saved, or of requests in between. */
  readonly name: LiveHint["kind"] | string | number;
  /** Results with such hints. */
  readonly hints: number;
  /** How many of these calls were repeated in the next request. */
  readonly asked: number;
}

/** The upper ends of the classes; larger values are in a last one. */
const SIZES: readonly number[] = [1000, 4000, 16_000];
const DISTANCES: readonly number[] = [1, 5, 20];

interface Count {
  hints: number;
  asked: number;
}

export class HintShares {
  readonly #counts = new Map(HINT_TRAITS.map(trait => [trait, new Map<string | number, Count>()]));

  add({ rows, hinted, tools }: ContextRows): void {
    for (const { row, kind, asked } of hinted) {
      const source = rows.get(row, "ref") - 1;
      const isNear = source >= 0 && rows.get(source, "partition") === rows.get(row, "partition");
      const distance = isNear ? rows.get(row, "request") - rows.get(source, "request") : Number.POSITIVE_INFINITY;
      this.#add("kind", kind, asked);
      this.#add("tool", tools[rows.get(row, "tool")] ?? "", asked);
      this.#add("size", classOf(rows.get(row, "savedChars"), SIZES), asked);
      this.#add("distance", classOf(distance, DISTANCES), asked);
    }
  }

  /** By trait; the most frequent first, classes in order. */
  report(): HintShare[] {
    return [...this.#counts].flatMap(([by, counts]) =>
      [...counts]
        .sort(([one, { hints: ones }], [other, { hints: others }]) => {
          if (typeof one === "number" && typeof other === "number") return (one || LAST) - (other || LAST);
          return others - ones || (String(one) < String(other) ? -1 : 1);
        })
        .map(([name, count]) => ({ by, name, ...count })),
    );
  }

  #add(trait: HintTrait, name: string | number, asked: boolean): void {
    const counts = this.#counts.get(trait);
    const count = counts?.get(name) ?? { hints: 0, asked: 0 };
    count.hints++;
    if (asked) count.asked++;
    counts?.set(name, count);
  }
}

const LAST = Number.POSITIVE_INFINITY;

/** The upper end of the class of a number; 0 for the last one, which has none. */
function classOf(value: number, ends: readonly number[]): number {
  return ends.find(end => value <= end) ?? 0;
}
