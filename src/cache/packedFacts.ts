/**
 * The facts of a log as one row of numbers, one table of all lines, and every text once. As tens of thousands of objects
 * they would take longer to read back than to replay.
 */
import type { CallDigest, Digest, ReplayFact } from "../dedup/digest.js";
import type { NumberedLines } from "../dedup/door.js";
import type { LineTable } from "../dedup/runs/lines.js";
import type { Place, RequestFact } from "../log/facts.js";
import type { ToolKind } from "../log/tools.js";
import type { SavedLog } from "../pipeline/logPipeline.js";

type Facts = SavedLog["facts"];

/** What happens a few times in a log is kept as it is. */
type RareFact = Exclude<ReplayFact, Digest | CallDigest | RequestFact>;

export interface PackedFacts {
  /** Fact by fact, as `FactPacker` writes and `FactUnpacker` reads them. */
  readonly numbers: Float64Array;
  /** What numbers stand for: see `ABSENT`. */
  readonly strings: readonly string[];
  /** Of all texts, one after another. */
  readonly lines: LineTable;
  readonly rare: readonly RareFact[];
  readonly hints: readonly Digest["hints"][];
}

/** In place of a text, or of the length of a table, that is not there. */
const ABSENT = -1;

const RESULT = 0;
const CALL = 1;
const REQUEST = 2;
const RARE = 3;

const KINDS: readonly ToolKind[] = ["other", "read", "mutate"];

/** Bits of one number of a result. */
const ERROR = 1;
const NATIVE = 2;
const TEXT = 4;
const LISTING = 8;
const RANGE = 16;
const HINTS = 32;
const HOOKED = 64;
const NUMBERED = 128;

/** Texts of results are left out: `LogCache` says who needs them. */
export function packFacts(facts: Facts): PackedFacts {
  const packer = new FactPacker();
  for (const [context, fact] of facts) packer.add(context, fact);
  return packer.packed;
}

/** One after another, as they are asked for. Fails, or gives nonsense, if it was not made by `packFacts`. */
export function unpackFacts(packed: PackedFacts): Facts {
  return { [Symbol.iterator]: () => new FactUnpacker(packed).all() };
}

class FactPacker {
  readonly #numbers: number[] = [];
  readonly #strings: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #tables: LineTable[] = [];
  readonly #rare: RareFact[] = [];
  readonly #hints: Digest["hints"][] = [];

  get packed(): PackedFacts {
    const [strings, rare, hints] = [this.#strings, this.#rare, this.#hints];
    return { numbers: Float64Array.from(this.#numbers), strings, lines: joined(this.#tables), rare, hints };
  }

  add(context: string, fact: ReplayFact): void {
    this.#text(context);
    switch (fact.fact) {
      case "result":
        return this.#result(fact);
      case "call":
        return this.#call(fact);
      case "request":
        return this.#request(fact);
      case "boundary":
      case "clear":
      case "rewind":
      case "branch":
      case "explanation":
        this.#numbers.push(RARE);
        this.#rare.push(fact);
        return;
      default:
        fact satisfies never;
    }
  }

  #result(result: Digest): void {
    const { error, native, text, isListing, range, hints, hooked, copyHash } = result;
    const numbered = hooked?.numbered;
    const flags =
      (error ? ERROR : 0) |
      (native ? NATIVE : 0) |
      (text ? TEXT : 0) |
      (isListing ? LISTING : 0) |
      (range ? RANGE : 0) |
      (hints.length > 0 ? HINTS : 0) |
      (hooked ? HOOKED : 0) |
      (numbered ? NUMBERED : 0);
    this.#numbers.push(RESULT, flags, KINDS.indexOf(result.kind));
    this.#place(result);
    this.#text(result.id);
    this.#text(result.uuid);
    this.#text(result.tool);
    this.#text(result.path);
    this.#text(result.target);
    this.#text(result.fingerprint);
    this.#numbers.push(result.callOffset, result.callLine, result.bytes, result.chars, copyHash[0], copyHash[1]);
    this.#lines(result.lines);
    if (range) this.#numbers.push(range[0], range[1]);
    if (hints.length > 0) this.#hints.push(hints);
    if (numbered === undefined) return;
    this.#numbers.push(numbered.begin, numbered.end, numbered.first, numbered.keptBytes);
    this.#text(numbered.prefix);
  }

  #call(call: CallDigest): void {
    this.#numbers.push(CALL);
    this.#place(call);
    this.#text(call.id);
    this.#text(call.tool);
    this.#text(call.target);
    this.#text(call.uuid);
    this.#numbers.push(call.callLine, call.inputs.length);
    for (const { key, lines, chars } of call.inputs) {
      this.#text(key);
      this.#numbers.push(chars);
      this.#lines(lines);
    }
  }

  #request(request: RequestFact): void {
    this.#numbers.push(REQUEST, request.continued ? 1 : 0);
    this.#place(request);
    this.#text(request.model);
    this.#numbers.push(request.input, request.written5m, request.written1h);
  }

  #place({ line, offset, at }: Place): void {
    this.#numbers.push(line, offset);
    this.#text(at ?? undefined);
  }

  #lines(lines: LineTable | undefined): void {
    this.#numbers.push(lines?.length ?? ABSENT);
    if (lines !== undefined) this.#tables.push(lines);
  }

  #text(text: string | undefined): void {
    if (text === undefined) return void this.#numbers.push(ABSENT);
    const known = this.#known.get(text) ?? this.#strings.push(text) - 1;
    this.#known.set(text, known);
    this.#numbers.push(known);
  }
}

class FactUnpacker {
  readonly #packed: PackedFacts;
  #at = 0;
  #line = 0;
  #rare = 0;
  #hints = 0;

  constructor(packed: PackedFacts) {
    this.#packed = packed;
  }

  *all(): Generator<readonly [string, ReplayFact]> {
    while (this.#at < this.#packed.numbers.length) yield [this.#text() ?? "", this.#fact()];
  }

  #fact(): ReplayFact {
    switch (this.#number()) {
      case RESULT:
        return this.#result();
      case CALL:
        return this.#call();
      case REQUEST:
        return this.#request();
      default: {
        const fact = this.#packed.rare[this.#rare++];
        if (fact === undefined) throw new Error("a fact is missing");
        return fact;
      }
    }
  }

  /** One statement for each member, in the order in which they were written: most logs are done before V8 compiles this. */
  #result(): Digest {
    const flags = this.#number();
    const kind = KINDS[this.#number()] ?? "other";
    const line = this.#number();
    const offset = this.#number();
    const at = this.#text() ?? null;
    const id = this.#text() ?? "";
    const uuid = this.#text() ?? "";
    const tool = this.#text() ?? "";
    const path = this.#text();
    const target = this.#text() ?? "";
    const fingerprint = this.#text();
    const callOffset = this.#number();
    const callLine = this.#number();
    const bytes = this.#number();
    const chars = this.#number();
    const copyHash = [this.#number(), this.#number()] as const;
    const lines = this.#lines();
    const range = flags & RANGE ? ([this.#number(), this.#number()] as const) : undefined;
    const hints = flags & HINTS ? (this.#packed.hints[this.#hints++] ?? NO_HINTS) : NO_HINTS;
    const numbered = flags & NUMBERED ? this.#numbered() : undefined;
    return {
      fact: "result",
      line,
      offset,
      at,
      id,
      uuid,
      tool,
      kind,
      path,
      target,
      range,
      callOffset,
      callLine,
      error: (flags & ERROR) !== 0,
      native: (flags & NATIVE) !== 0,
      bytes,
      chars,
      text: (flags & TEXT) !== 0,
      fingerprint,
      hints,
      hooked: numbered ? { numbered } : flags & HOOKED ? AS_IT_IS : undefined,
      lines,
      isListing: (flags & LISTING) !== 0,
      copyHash,
      body: undefined,
    };
  }

  #numbered(): NumberedLines {
    const begin = this.#number();
    const end = this.#number();
    const first = this.#number();
    const keptBytes = this.#number();
    return { begin, end, first, keptBytes, prefix: this.#text() ?? "" };
  }

  #call(): CallDigest {
    const line = this.#number();
    const offset = this.#number();
    const at = this.#text() ?? null;
    const id = this.#text() ?? "";
    const tool = this.#text() ?? "";
    const target = this.#text() ?? "";
    const uuid = this.#text() ?? "";
    const callLine = this.#number();
    const inputs: CallDigest["inputs"][number][] = [];
    for (let left = this.#number(); left > 0; left--) {
      const key = this.#text() ?? "";
      const chars = this.#number();
      inputs.push({ key, chars, lines: this.#lines() ?? NO_LINES });
    }
    return { fact: "call", line, offset, at, id, tool, target, uuid, callLine, inputs };
  }

  #request(): RequestFact {
    const continued = this.#number() === 1;
    const line = this.#number();
    const offset = this.#number();
    const at = this.#text() ?? null;
    const model = this.#text() ?? "";
    const input = this.#number();
    const written5m = this.#number();
    const written1h = this.#number();
    return { fact: "request", line, offset, at, continued, model, input, written5m, written1h };
  }

  #number(): number {
    const number = this.#packed.numbers[this.#at++];
    if (number === undefined) throw new Error("the facts end too early");
    return number;
  }

  #text(): string | undefined {
    return this.#packed.strings[this.#number()];
  }

  #lines(): LineTable | undefined {
    const length = this.#number();
    if (length === ABSENT) return undefined;
    const from = this.#line;
    this.#line += length;
    return this.#packed.lines.subarray(from, this.#line);
  }
}

const NO_HINTS: Digest["hints"] = [];
const AS_IT_IS: NonNullable<Digest["hooked"]> = {};
const NO_LINES: LineTable = new Uint32Array();

function joined(tables: readonly LineTable[]): LineTable {
  const all = new Uint32Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const table of tables) {
    all.set(table, at);
    at += table.length;
  }
  return all;
}
