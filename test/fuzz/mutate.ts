/** Malformed lines, made from lines that Claude Code writes: first their structure is changed, then their bytes. */
import type { Chance } from "../support/liveLog.js";

type Json = Record<string, unknown>;

const LONE_SURROGATE = "\ud800";
const TEXTS = [
  "",
  "\u0000",
  LONE_SURROGATE,
  "\udfff\ud800",
  "__proto__",
  "constructor",
  "\u202e\u2066\u200b\ufeff",
  "\u001b[31m\u001b]8;;file:///etc/passwd\u0007",
  "</script><script>alert(1)</script>",
  "command:workbench.action.terminal.new",
  "[Request interrupted by user for tool use]",
  "> [ref: toolu_1, byte-identical]",
  "> [near-ref: toolu_1, a: 1→2]",
  "> [ref: toolu_1 lines 1-3]",
  "2:> [ref: toolu_1 lines 1-3]\n3:\tmore",
  '"toolUseResult":{"type":"file_unchanged"}',
  "\n".repeat(300),
  "x".repeat(5000),
];
const NUMBERS = [0, -0, -1, 0.5, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, 5e-324, 4_294_967_296];
const TIMES = [
  "",
  "never",
  "0000-00-00",
  "9999-99-99T99:99:99.999Z",
  "+275760-09-13T00:00:00.001Z",
  "1969-12-31T23:59:59Z",
];
/** Names that mean something somewhere: a value under the wrong one is as useful as an unknown type. */
const NAMES = [
  ...["type", "subtype", "uuid", "parentUuid", "timestamp", "isSidechain", "agentId", "sessionId", "cwd", "version"],
  ...["message", "id", "model", "usage", "content", "tool_use_id", "is_error", "name", "input", "file_path", "text"],
  ...["toolUseResult", "compactMetadata", "microcompactMetadata", "compactedToolIds", "preservedMessages", "allUuids"],
  ...[
    "replacements",
    "toolUseId",
    "summary",
    "customTitle",
    "aiTitle",
    "isMeta",
    "isCompactSummary",
    "__proto__",
    "constructor",
  ],
  ...["logicalParentUuid", "attachment", "callIds", "context_management", "applied_edits", "cleared_tool_uses"],
  ...["input_tokens", "cache_creation", "cache_creation_input_tokens", "ephemeral_1h_input_tokens", "offset", "limit"],
];
const METHODS = [
  "details",
  "openCall",
  "transcript",
  "compare",
  "openLogLine",
  "setCapacity",
  "setAxis",
  "exportReport",
];
/** A placeholder for lists nested so deeply that they cannot be written as a value. */
const DEEP = "@deep@";
const DEEPEST = 100_000;
/** JSON values as source text: some look alike, some are equal but spelled differently. */
const ALIKE = ["1", "1.0", "1e0", '"1"', '"n1"', '"s1"', '"\\u00001"', '"\\u0031"', "null", '""'];
const NESTED = [
  ...ALIKE.map(value => `[${value}]`),
  ...['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"a":2}', '{"a":2,"a":2}', `${"[".repeat(300)}1${"]".repeat(300)}`],
  ...["-0", "100000000000000000000", "true", '"\\n"', '"\\""', '"\\\\"', "[]", "{}", `"${"y".repeat(60)}"`],
];
const KEYS = ['"a"', '"b"', '"1"', '"__proto__"', '"\\u0061"', '""'];
/** As long as a line may be. */
const HUGE = 10_000_000;
const TYPES = ["user", "assistant", "system", "attachment", "progress", "content-replacement", "summary", "new-type"];

export class Mutator {
  readonly #chance: Chance;
  readonly #seeds: readonly string[];
  readonly #scale: number;
  /** The uuids of recent lines. */
  readonly #uuids: unknown[] = [];

  /** `scale`: the fraction of the largest sizes that is large enough. */
  constructor(chance: Chance, seeds: readonly string[], scale = 1) {
    this.#chance = chance;
    this.#seeds = seeds;
    this.#scale = scale;
  }

  /** One line, usually with its newline. */
  line(): Buffer {
    const seed = this.#chance.pick(this.#seeds);
    const value = JSON.parse(seed) as Json;
    if (this.#chance.is(0.7)) this.#relink(value);
    for (let rounds = this.#chance.below(4); rounds > 0; rounds--) this.#change(value);
    if (this.#chance.is(0.3)) this.#answerInJson(value);
    const text = this.#chance.is(0.05) ? this.#doubled(value) : JSON.stringify(value);
    const bytes = Buffer.from(`${text.replaceAll(JSON.stringify(DEEP), () => this.#deepLists())}\n`);
    return this.#chance.is(0.1) ? this.#torn(bytes) : bytes;
  }

  #deepLists(): string {
    const depth = Math.ceil(DEEPEST * this.#scale);
    return "[".repeat(depth) + "]".repeat(depth);
  }

  /** Makes a recent line the parent; sometimes the line itself, none, or one that is still to come. */
  #relink(value: Json): void {
    const chance = this.#chance;
    const newest = this.#uuids.at(-1) ?? null;
    const known = this.#uuids.length > 0 ? chance.pick(this.#uuids) : null;
    const own = chance.pick([known, `${newest}-next`, ...Array(8).fill(`line-${chance.below(1 << 30)}`)]);
    value["uuid"] = own;
    value["parentUuid"] = chance.pick([known, null, own, "gone", `${own}-next`, ...Array(10).fill(newest)]);
    if (value["subtype"] === "compact_boundary") value["logicalParentUuid"] = value["parentUuid"];
    if (this.#uuids.push(own) > 12) this.#uuids.shift();
  }

  /** A page's message with something wrong in it. */
  message(): unknown {
    const chance = this.#chance;
    const ask = { method: chance.pick(METHODS), row: chance.below(9), fromRow: 0, count: 5, capacity: 5, text: "x" };
    const message: Json = chance.pick<Json>([
      { type: "ready" },
      { type: "select", session: "/a", context: "main" },
      { type: "follow", on: true },
      { type: "selected", row: 3 },
      { type: "request", id: 7, ask },
    ]);
    const copy = structuredClone(message);
    for (let rounds = chance.below(3); rounds > 0; rounds--) this.#change(copy);
    return copy;
  }

  /** Changes one member, somewhere in the value. */
  #change(value: Json): void {
    let at: Json | unknown[] = value;
    for (;;) {
      const keys: string[] = Object.keys(at);
      const key = this.#chance.pick(keys.length > 0 ? keys : ["type"]);
      const inner = (at as Json)[key];
      if (typeof inner === "object" && inner !== null && this.#chance.is(0.7)) at = inner as Json;
      else return this.#changeMember(at as Json, key);
    }
  }

  #changeMember(at: Json, key: string): void {
    const chance = this.#chance;
    switch (chance.below(8)) {
      case 0:
        delete at[key];
        return;
      case 1:
        define(at, chance.pick(NAMES), at[key]);
        return;
      case 2:
        at[key] = chance.pick(TIMES);
        return;
      case 3:
        at[key] = chance.pick(TYPES);
        return;
      case 4:
        at[key] = { [chance.pick(NAMES)]: at[key], [key]: this.#anything() };
        return;
      case 5:
        at[key] = [at[key], this.#anything(), at[key]];
        return;
      default:
        define(at, key, this.#anything());
    }
  }

  /** Makes the result a JSON text of the kind that near-references compare, sometimes a huge one. */
  #answerInJson(line: Json): void {
    const content = (line["message"] as Json | null | undefined)?.["content"];
    for (const block of Array.isArray(content) ? (content as unknown[]) : []) {
      if (typeof block === "object" && block !== null && "tool_use_id" in block)
        (block as Json)["content"] = this.#jsonText();
    }
  }

  /** Most have the same two keys, so that they differ in values only. */
  #jsonText(): string {
    const chance = this.#chance;
    const members = [`"a":${chance.pick(ALIKE)}`, `"b":${chance.pick(chance.is(0.5) ? ALIKE : NESTED)}`];
    if (chance.is(0.2)) members.push(`${chance.pick(KEYS)}:${chance.pick(ALIKE)}`);
    const filler = chance.is(0.002)
      ? chance.pick(["x", "\\n"]).repeat(Math.ceil((HUGE / 2) * this.#scale))
      : "x".repeat(480);
    const text = `{${members.join()},"filler":"${filler}"}`;
    return chance.is(0.05) ? text.slice(0, chance.below(text.length)) : text;
  }

  #anything(): unknown {
    const chance = this.#chance;
    const kind = chance.below(100);
    if (kind < 30) return chance.pick(TEXTS);
    if (kind < 55) return chance.pick(NUMBERS);
    if (kind < 70) return chance.pick([null, true, false, [], {}]);
    if (kind < 85) return chance.pick(TYPES);
    if (kind < 95) return nested(chance.below(60));
    if (kind < 98) return nested(2000);
    if (kind < 99) return DEEP;
    return chance.is(0.02)
      ? new Array(Math.ceil(1_000_000 * this.#scale)).fill(0)
      : new Array(1000).fill(chance.pick(TEXTS));
  }

  /** The same name twice, numbers that JSON can express but JavaScript cannot. */
  #doubled(value: Json): string {
    const rest = JSON.stringify(value).slice(1);
    const more = this.#chance.pick([
      '"type":"user",',
      '"uuid":1e999,',
      '"message":{"usage":{"input_tokens":9007199254740993}},',
    ]);
    return rest === "}" ? "{}" : `{${more}${rest}`;
  }

  /** Loses bytes, changes them, or runs them into another line. */
  #torn(bytes: Buffer): Buffer {
    const chance = this.#chance;
    const at = chance.below(bytes.length);
    switch (chance.below(5)) {
      case 0:
        return bytes.subarray(0, at);
      case 1:
        return bytes.subarray(at);
      case 2:
        return Buffer.concat([
          bytes.subarray(0, at),
          bytes.subarray(Math.min(bytes.length, at + 1 + chance.below(50))),
        ]);
      case 3:
        bytes[at] = chance.below(256);
        return bytes;
      default:
        return Buffer.concat([bytes.subarray(0, at), Buffer.from(chance.pick(this.#seeds)), bytes.subarray(at)]);
    }
  }
}

/** Sets an own property, even if it is called __proto__. */
function define(at: Json, key: string, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { content: value } : [value];
  return value;
}
