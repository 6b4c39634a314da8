/** The texts whose lines a context holds, and how they are saved. */

/** A text that the model has: a result, or a string in a call's input. */
export interface RunSource {
  readonly id: string;
  /** The member of the call's input; undefined for its result. */
  readonly input: string | undefined;
  /** The call's tool and subject, for hints that name them. */
  readonly tool: string;
  readonly target: string;
  /** The log line, to determine what a rewind removes and what belongs to the message being answered. */
  readonly logLine: number;
  /** The byte offset of that line. */
  readonly offset: number;
  /** The place of its call on the parent chain; 0 if unknown. */
  readonly callLine: number;
  /** How many results of the context came before it. */
  readonly order: number;
  /** People count or compare its lines: see `isWholeOrNothing`. */
  readonly isListing: boolean;
}

/** A source whose lines are in the slots [first, end). */
export class HeldSource {
  readonly source: RunSource;
  readonly first: number;
  readonly end: number;
  readonly chars: number;
  /** False once the text has left the context, or if no hint could name it. */
  isThere: boolean;
  /** Per variant, the lines that were not emitted: each stretch became one hint line. */
  readonly hidden: (readonly Stretch[])[];

  constructor(
    source: RunSource,
    first: number,
    end: number,
    chars: number,
    isThere: boolean,
    hidden: HeldSource["hidden"],
  ) {
    this.source = source;
    this.first = first;
    this.end = end;
    this.chars = chars;
    this.isThere = isThere;
    this.hidden = hidden;
  }
}

/** Lines [start, end) of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const SOURCE_WIDTH = 8;
/** The index of the call's place among them. */
const CALL_LINE = 5;
const NAMES = 4;
/** An offset may exceed 32 bits. */
const LOW = 2 ** 32;

/** The sources of an index as plain data. */
export interface SavedSources {
  /** SOURCE_WIDTH numbers for each text. */
  readonly sources: Uint32Array;
  /** For each text, one line each: its id, the member of the input or nothing, its tool and its target. */
  readonly names: string;
}

/** `before`: the already saved form of the sources before these. */
export function savedSources(held: readonly HeldSource[], before: SavedSources = NOTHING_SAVED): SavedSources {
  let at = before.sources.length;
  const sources = new Uint32Array(at + held.length * SOURCE_WIDTH);
  sources.set(before.sources);
  const names: string[] = at === 0 ? [] : [before.names];
  for (const { source, first, end, chars } of held) {
    sources[at++] = end - first;
    sources[at++] = chars;
    sources[at++] = source.logLine;
    // The lower half: the array truncates it.
    sources[at++] = source.offset;
    sources[at++] = source.offset / LOW;
    sources[at++] = source.callLine;
    sources[at++] = source.order;
    sources[at++] = +source.isListing;
    names.push(source.id, source.input ?? "", source.tool, source.target);
  }
  return { sources, names: names.join("\n") };
}

const NOTHING_SAVED: SavedSources = { sources: new Uint32Array(), names: "" };

/** Saved sources, each restored on demand: most are never needed. */
export class RestoredSources {
  readonly saved: SavedSources;
  readonly #numbers: Uint32Array;
  #names: readonly string[] | undefined;
  /** The first slot of each. */
  readonly #firsts: Uint32Array;
  #lines = 0;

  constructor(saved: SavedSources) {
    this.saved = saved;
    this.#numbers = saved.sources;
    this.#firsts = new Uint32Array(saved.sources.length / SOURCE_WIDTH);
  }

  /** How many lines they have. */
  get lines(): number {
    return this.#lines;
  }

  /** The first call, by its place on the parent chain, that has a text; 0 if none. */
  get oldestCall(): number {
    for (let at = CALL_LINE; at < this.#numbers.length; at += SOURCE_WIDTH) {
      if (this.#numbers[at] !== 0) return this.#numbers[at] as number;
    }
    return 0;
  }

  get count(): number {
    return this.#firsts.length;
  }

  /** Fills in which source each slot belongs to. Returns the characters of all. */
  enter(sourceOf: Int32Array): number {
    let [slot, chars] = [0, 0];
    for (let index = 0; index < this.count; index++) {
      const first = slot;
      this.#firsts[index] = first;
      slot += this.#numbers[index * SOURCE_WIDTH] as number;
      chars += this.#numbers[index * SOURCE_WIDTH + 1] as number;
      sourceOf.fill(index, first, slot);
    }
    this.#lines = slot;
    return chars;
  }

  at(index: number): HeldSource {
    this.#names ??= this.saved.names.split("\n");
    const [numbers, names, at, name] = [this.#numbers, this.#names, index * SOURCE_WIDTH, index * NAMES];
    const first = this.#firsts[index] as number;
    const source: RunSource = {
      id: names[name] ?? "",
      input: names[name + 1] || undefined,
      tool: names[name + 2] ?? "",
      target: names[name + 3] ?? "",
      logLine: numbers[at + 2] as number,
      offset: (numbers[at + 3] as number) + (numbers[at + 4] as number) * LOW,
      callLine: numbers[at + CALL_LINE] as number,
      order: numbers[at + 6] as number,
      isListing: numbers[at + 7] === 1,
    };
    return new HeldSource(source, first, first + (numbers[at] as number), numbers[at + 1] as number, true, []);
  }
}

/** The slots of these sources, in order, after all slots before `from`. */
export function stretchesOf(sources: readonly HeldSource[], from = 0): Stretch[] {
  const stretches: Stretch[] = [];
  let [start, end] = [0, from];
  for (const held of sources) {
    if (held.first !== end) {
      stretches.push({ start, end });
      start = held.first;
    }
    end = held.end;
  }
  return [...stretches, { start, end }];
}

export function nameOf({ id, input }: Pick<RunSource, "id" | "input">): string {
  return input === undefined ? `${id.length} ${id}` : `${id.length} ${id} ${input}`;
}
