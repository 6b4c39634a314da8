/**
 * Whether hints for runs of lines obey their three laws: lossless, visible, shorter. Judged without any of the engine's
 * code: `replay` says what it would emit, and every hint is expanded from the texts emitted before it and compared with
 * the log.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { replayCommand } from "../../src/cli/replayCommand.js";
import type { RunStrategy } from "../../src/inspect/strategies.js";
import { bodyOf, contextIdOf, countOf, field, type Json, list, parseObject } from "../reference/lines.js";

export interface LawOptions {
  readonly strategy: RunStrategy;
  /** The smallest run. Only configurable for live hints. */
  readonly minBytes: number;
}

/** What was judged, and every violation. */
export interface Judged {
  results: number;
  hints: number;
  bytes: number;
  saved: number;
  readonly breaks: string[];
}

/** A line of the output of `replay`. */
export interface Emitted {
  readonly id: string;
  readonly context: string;
  readonly partition: number;
  readonly emitted: string | null;
}

type Style = "tab" | "arrow";

const HINT =
  /^> \[ref: (?<ref>[^\s,\]]+(?: input\.[^\s,\]]+)?) lines (?<from>\d+)-(?<to>\d+)(?:, (?<how>renumbered|numbered) from (?<number>\d+))?(?:, from: .+)?\]$/;
/** Replaces a whole text. */
const WHOLE_HINT = /^> \[ref: (?<ref>[^\s,\]]+), byte-identical(?:, from: .+)?\]$/;
/** Shorter texts are ignored. */
const MIN_CHARS = 17;
const PREFIX: Readonly<Record<Style, RegExp>> = { tab: /^(\d+)\t/, arrow: /^( *\d+)→/ };

export function judge(file: string, options: LawOptions, emitted = emittedFor(file, options)): Judged {
  const judged: Judged = { results: 0, hints: 0, bytes: 0, saved: 0, breaks: [] };
  const agent = /^agent-(.+)\.jsonl$/.exec(basename(file))?.[1];
  const contexts = new Map<string, Context>();
  let next = 0;
  for (const [at, text] of readFileSync(file, "utf8").split("\n").slice(0, -1).entries()) {
    const line = parseObject(text);
    if (line === undefined) continue;
    const id = agent ?? contextIdOf(line);
    const context = contexts.get(id) ?? new Context(options.minBytes, judged);
    contexts.set(id, context);
    for (const block of context.newResults(line)) {
      const told = emitted[next++];
      if (told === undefined || told.id !== block["tool_use_id"] || told.context !== id) {
        judged.breaks.push(`order: ${block["tool_use_id"]} in ${id} is told as ${told?.id} in ${told?.context}`);
        return judged;
      }
      context.judge(told, bodyOf(block["content"]), { at, uuid: line["uuid"] });
    }
    context.take(line, at);
  }
  if (next < emitted.length) judged.breaks.push(`order: ${emitted[next]?.id} is not in the log`);
  return judged;
}

/** In the order of the log. */
export function emittedFor(file: string, { strategy, minBytes }: LawOptions): Emitted[] {
  const written: string[] = [];
  const size = strategy === "live" ? [`--span-min-bytes=${minBytes}`] : [];
  const args = [file, "--json", "--strategy", strategy, ...size];
  const terminal = {
    colour: false,
    width: Number.POSITIVE_INFINITY,
    out: (text: string) => void written.push(text),
    say: () => {},
  };
  replayCommand(args, terminal);
  return written
    .join("")
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line) as Emitted);
}

/** A text that the model got. */
interface Given {
  readonly lines: readonly string[];
  readonly at: number;
  readonly uuid: unknown;
  /** A compaction kept it: a hint may replace the whole text, but runs stay within their partition. */
  readonly isKept: boolean;
}

/** What the model has: every text that a hint may point at, as the model got it. */
class Context {
  readonly #minBytes: number;
  readonly #judged: Judged;
  readonly #texts = new Map<string, Given>();
  readonly #answered = new Set<unknown>();
  readonly #lineOf = new Map<unknown, number>();
  #lastAnswer = -1;
  #lastBoundary = -1;
  #partition = 0;
  #style: Style = "tab";
  #request: { id: unknown; input: number } = { id: undefined, input: 0 };

  constructor(minBytes: number, judged: Judged) {
    this.#minBytes = minBytes;
    this.#judged = judged;
  }

  /** The results that first occur in this line. */
  newResults(line: Json): Json[] {
    const results = line["type"] === "user" ? (list(line, "message", "content") as Json[]) : [];
    return results.filter(block => {
      if (field(block, "type") !== "tool_result" || this.#answered.has(block["tool_use_id"])) return false;
      this.#answered.add(block["tool_use_id"]);
      return true;
    });
  }

  /** Expands one result and remembers what the model got. */
  judge({ id, emitted, partition }: Emitted, body: string | undefined, place: Pick<Given, "at" | "uuid">): void {
    const broken = (law: string, why: string) => this.#judged.breaks.push(`${law}: ${id}: ${why}`);
    if ((emitted === null) !== (body === undefined)) broken("lossless", "text became none or none text");
    if (emitted === null || body === undefined) return;
    this.#judged.results++;
    this.#judged.bytes += Buffer.byteLength(body);
    this.#judged.saved += Buffer.byteLength(body) - Buffer.byteLength(emitted);
    if (partition !== this.#partition) broken("visible", `partition ${partition}, not ${this.#partition}`);
    const given = emitted.split("\n");
    if (emitted !== body) {
      const style = given.map(styleOf).find(Boolean) ?? this.#style;
      const whole = WHOLE_HINT.exec(emitted)?.groups?.["ref"];
      const expanded =
        whole === undefined ? given.flatMap(line => this.#expanded(line, style, broken)) : this.#whole(whole, broken);
      if (expanded.join("\n") !== body) broken("lossless", "the expanded text is another one");
      if (whole !== undefined && 2 * emitted.length > body.length)
        broken("shorter", `the hint is too long: ${emitted}`);
    }
    if (body.length >= MIN_CHARS) this.#style = body.split("\n").map(styleOf).find(Boolean) ?? this.#style;
    this.#texts.set(id, { lines: given, ...place, isKept: false });
  }

  /** The text that a whole-text hint replaces. */
  #whole(ref: string, broken: (law: string, why: string) => void): readonly string[] {
    this.#judged.hints++;
    const { lines } = this.#texts.get(ref) ?? {};
    if (lines === undefined) broken("visible", `nothing there: ${ref}`);
    return lines ?? [];
  }

  #expanded(line: string, style: Style, broken: (law: string, why: string) => void): string[] {
    const hint = HINT.exec(line)?.groups;
    if (hint === undefined) return [line];
    this.#judged.hints++;
    const { ref = "", how } = hint;
    const [from, to, number] = [Number(hint["from"]), Number(hint["to"]), Number(hint["number"])];
    const given = this.#texts.get(ref);
    const lines = given === undefined || given.isKept ? [] : given.lines.slice(from - 1, to);
    if (lines.length !== to - from + 1) broken("visible", `nothing there: ${line}`);
    if (lines.some(one => /^> \[(?:near-)?ref:/.test(one))) broken("visible", `a hint to a hint: ${line}`);
    const run = lines.map((one, at) => renumbered(one, how, number + at, style));
    const text = run.join("\n");
    if (Buffer.byteLength(text) < this.#minBytes) broken("shorter", `a run of too few bytes: ${line}`);
    if (2 * line.length > text.length) broken("shorter", `the hint is too long: ${line}`);
    return run;
  }

  /** Everything that a line says except for its results: calls, what ends reachability, its place. */
  take(line: Json, at: number): void {
    if (line["type"] === "assistant") {
      this.#checkRequest(line);
      this.#addInputs(line, at);
      this.#lastAnswer = at;
    }
    this.#checkRewind(line);
    this.#clear(line, at);
    if (line["uuid"]) this.#lineOf.set(line["uuid"], at);
  }

  #addInputs(line: Json, at: number): void {
    for (const block of list(line, "message", "content")) {
      const input = field(block, "type") === "tool_use" ? field(block, "input") : undefined;
      for (const [key, value] of Object.entries(input ?? {})) {
        if (typeof value !== "string") continue;
        const name = `${field(block, "id")} input.${key}`;
        this.#texts.set(name, { lines: value.split("\n"), at, uuid: undefined, isKept: false });
      }
    }
  }

  /** A request that is smaller than the previous one lost something, though the log does not say what. */
  #checkRequest(line: Json): void {
    const edits = list(line, "message", "context_management", "applied_edits");
    if (edits.some(edit => Number(field(edit, "cleared_tool_uses")) > 0)) this.#forgetAll();
    const id = field(line, "message", "id");
    if (field(line, "message", "model") === "<synthetic>" || (id !== undefined && id === this.#request.id)) return;
    const input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
      .map(name => countOf(field(line, "message", "usage", name)))
      .reduce((sum, count) => sum + count);
    if (input === 0) return;
    if (input < 0.9 * this.#request.input) this.#forgetAll();
    this.#request = { id, input };
  }

  #clear(line: Json, at: number): void {
    const { type, subtype } = line;
    if (type === "system" && subtype === "compact_boundary") {
      this.#partition++;
      this.#lastBoundary = at;
      this.#compact(line);
    } else if (type === "system" && subtype === "microcompact_boundary") {
      this.#forget(list(line, "microcompactMetadata", "compactedToolIds"));
    } else if (type === "content-replacement") {
      this.#forget(list(line, "replacements").map(one => field(one, "toolUseId")));
    } else if (type === "attachment" && field(line, "attachment", "type") === "tool_results_cut") {
      this.#forget(list(line, "attachment", "callIds"));
    }
  }

  #compact(line: Json): void {
    const kept = field(line, "compactMetadata", "preservedMessages");
    const uuids = list(kept, Array.isArray(field(kept, "allUuids")) ? "allUuids" : "uuids");
    const preserved = [...this.#texts].filter(([, { uuid }]) => typeof uuid === "string" && uuids.includes(uuid));
    this.#forgetAll();
    for (const [name, given] of preserved) this.#texts.set(name, { ...given, isKept: true });
  }

  /** A prompt or a system line may continue from an earlier line: what came after that line is gone. */
  #checkRewind(line: Json): void {
    const { type, isCompactSummary, parentUuid } = line;
    if ((type !== "user" && type !== "system") || isCompactSummary) return;
    if (list(line, "message", "content").some(block => field(block, "type") === "tool_result")) return;
    const begins = type === "user" && parentUuid === null;
    const parent = begins ? -1 : this.#lineOf.get(parentUuid);
    if (parent === undefined || this.#lastAnswer <= (begins ? this.#lastBoundary : parent)) return;
    for (const [name, { at }] of this.#texts) if (at > parent) this.#texts.delete(name);
    this.#request.input = 0;
  }

  /** The next request is smaller for a known reason. */
  #forget(ids: readonly unknown[]): void {
    for (const name of this.#texts.keys()) if (ids.includes(name.split(" ")[0])) this.#texts.delete(name);
    this.#request.input = 0;
  }

  #forgetAll(): void {
    this.#texts.clear();
    this.#request.input = 0;
  }
}

function renumbered(line: string, how: string | undefined, number: number, style: Style): string {
  if (how === undefined) return line;
  if (how === "numbered") return prefix(style, number) + line;
  const own = styleOf(line);
  return own === undefined ? "(a line without a number)" : prefix(own, number) + line.replace(PREFIX[own], "");
}

function prefix(style: Style, number: number): string {
  return style === "tab" ? `${number}\t` : `${String(number).padStart(6)}→`;
}

/** The style of a line's number, exactly as Read writes it. */
function styleOf(line: string): Style | undefined {
  return (["tab", "arrow"] as const).find(style => {
    const found = PREFIX[style].exec(line);
    const digits = found?.[1]?.trim() ?? "";
    return found !== null && digits.length < 10 && found[0] === prefix(style, Number(digits));
  });
}
