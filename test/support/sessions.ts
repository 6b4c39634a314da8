/** Random sessions that cover everything the rules are about. */
import fc from "fast-check";
import { boundary, cut, type Json, microcompact, replacement } from "./log.js";

const CONTEXTS: readonly Json[] = [
  { isSidechain: false },
  { isSidechain: true, agentId: "a1" },
  { isSidechain: true, agentId: "b2" },
  { isSidechain: true },
];

const TOOLS: readonly (readonly [name: string, input: Json])[] = [
  ["Read", { file_path: "/w/a.ts" }],
  ["Read", { file_path: "/w/a.ts", offset: 10 }],
  ["Read", { file_path: "lib/../a.ts" }],
  ["Read", { file_path: "b.ts" }],
  ["Grep", { pattern: "x", path: "/w/a.ts" }],
  ["Glob", { pattern: "**" }],
  ["NotebookRead", { notebook_path: "C:\\w\\n.ipynb" }],
  ["Edit", { file_path: "a.ts" }],
  ["Write", { file_path: "/w/./b.ts", content: fileLines(2, 20) }],
  ["MultiEdit", { file_path: "/w/none.ts" }],
  ["NotebookEdit", { notebook_path: "C:/w/x/../n.ipynb" }],
  ["Bash", { command: "npm test" }],
  ["mcp__jira__get_issue", { id: 1 }],
  ["mcp__jira__update_issue", { id: 1 }],
  ["ExitPlanMode", { plan: fileLines(0, 30), planFilePath: "/w/plan.md" }],
];

/** Bodies around the sizes that matter to the rules: 200, 500 and 1,000 bytes. */
const SIZES = [199, 200, 1000, 320, 320, 640, 640, 0];
const STATUSES = ["queued", "running", "done", "a value that is too long to be told in a hint of fifty bytes"];

const body = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...SIZES), fc.constantFrom("p", "é")).map(sized) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...STATUSES), fc.nat(2), fc.nat(1)).map(poll) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 24 }), fc.nat(3)).map(partOfFile) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("p"), fc.constantFrom("r", "s")).map(blocks) },
  { weight: 1, arbitrary: fc.constantFrom([{ type: "image", source: {} }], undefined, [], 5) },
);

function sized([bytes, mark]: readonly [number, string]): string {
  const text = `${mark}\n`.repeat(bytes).slice(0, bytes);
  return mark === "é" ? text.slice(0, bytes - Math.floor(bytes / 3)) : text;
}

/** Lines of a file, as Read numbers them or without numbers: parts of one overlap, so runs of lines repeat. */
function partOfFile([from, count, form]: readonly [number, number, number]): string {
  const lines = Array.from({ length: count }, (_, at) => ({ number: from + at, text: fileLine(from + at) }));
  if (form === 0) return lines.map(({ text }) => text).join("\n");
  if (form === 1) return lines.map(({ number, text }) => `${String(number).padStart(6)}→${text}`).join("\n");
  return lines.map(({ number, text }) => `${number + (form === 2 ? 0 : 40)}\t${text}`).join("\n");
}

function fileLines(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => fileLine(from + at)).join("\n");
}

function fileLine(number: number): string {
  return number % 5 === 4 ? "}" : `  const value${number} = compute(${number * 7}); // é`;
}

function poll([status, attempt, shape]: readonly [string, number, number]): string {
  const log = "line of the log\n".repeat(40);
  return JSON.stringify(shape === 0 ? { status, attempt, log } : { attempt, status, log, nested: { attempt } });
}

function blocks([first, second]: readonly [string, string]): Json[] {
  return [first, second].map(mark => ({ type: "text", text: mark.repeat(120) }));
}

type Step =
  | {
      do: "call";
      tool: number;
      body: unknown;
      error: boolean;
      late: boolean;
      native: boolean;
      bare: boolean;
      twice: boolean;
    }
  | { do: "hint"; of: number; form: number; again: boolean }
  | { do: "request"; change: number; lines: number; odd: number; edited: boolean }
  | { do: "prompt"; parent: number; kind: number }
  | { do: "boundary"; keep: number; old: boolean }
  | { do: "clear"; of: number[]; by: "microcompact" | "replacement" | "cut" }
  | { do: "repeat"; line: number }
  | { do: "garbage"; kind: number; cut: number };

/**
 * The parent of a step's first line. Mostly the last line of its context; two processes may take turns, each continuing its
 * own lines.
 */
type Origin =
  | { from: "tip"; process: 0 | 1 }
  | { from: "older"; back: number }
  | { from: "later"; ahead: number }
  | { from: "null" | "gone" | "itself" | "nothing" };

/** Rarely true. Not at an extreme value, because fast-check tries those more often. */
const few = fc.integer({ min: 0, max: 15 }).map(n => n === 7);
const back = fc.nat(12);

const origin: fc.Arbitrary<Origin> = fc.oneof(
  { weight: 60, arbitrary: fc.constant<Origin>({ from: "tip", process: 0 }) },
  { weight: 6, arbitrary: fc.constant<Origin>({ from: "tip", process: 1 }) },
  { weight: 2, arbitrary: fc.record({ from: fc.constant("older" as const), back }) },
  { weight: 1, arbitrary: fc.record({ from: fc.constant("later" as const), ahead: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Origin>({ from: "null" }, { from: "gone" }, { from: "itself" }, { from: "nothing" }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 18,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      tool: fc.constantFrom(...TOOLS.keys(), 0, 1, 2, 3, 7, 11, 11, 11, 11, 11),
      body,
      error: few,
      late: few,
      native: few,
      bare: few,
      twice: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("hint" as const), of: back, form: fc.nat(7), again: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("request" as const),
      change: fc.constantFrom(200, 300, 400, 500, 0, -100, -300),
      lines: fc.integer({ min: 1, max: 3 }),
      odd: fc.constantFrom(5, 0, 1, 2, 5, 5, 5, 5),
      edited: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("prompt" as const),
      parent: back,
      kind: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("boundary" as const), keep: back, old: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("clear" as const),
      of: fc.array(back, { maxLength: 3 }),
      by: fc.constantFrom("microcompact" as const, "replacement" as const, "cut" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repeat" as const), line: back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("garbage" as const), kind: fc.nat(6), cut: fc.nat(90) }) },
);

/** How many lines too late a step's first line is written: its children may come first. */
const delay = fc.oneof(
  { weight: 14, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(1, 1, 1, 2, 3, 4, 15, 16, 17) },
);

/** The text of a log with up to `maxLength` steps. */
export function anySession(maxLength: number): fc.Arbitrary<string> {
  const context = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(3) });
  const steps = fc.tuple(context, origin, delay, step);
  return fc.array(steps, { minLength: maxLength >> 2, maxLength, size: "max" }).map(all => {
    const writer = new Writer();
    for (const [at, from, late, one] of all) writer.write(CONTEXTS[at] ?? {}, from, late, one);
    return writer.lines.map(line => `${line}\n`).join("");
  });
}

/** Writes lines that refer to each other: parents, ids, growing sizes. */
class Writer {
  readonly lines: string[] = [];
  readonly #uuids: string[] = [];
  /** By context, the last line of each of two processes. */
  readonly #tips = new Map<string, [string | undefined, string | undefined]>();
  #origin: Origin = { from: "nothing" };
  #process: 0 | 1 = 0;
  #delay = 0;
  /** Lines to write once the log has that many. */
  #delayed: { line: string; after: number }[] = [];
  readonly #ids: string[] = [];
  readonly #bodies = new Map<string, unknown>();
  #input = 1000;
  #messages = 0;
  readonly #late: Json[] = [];

  write(context: Json, from: Origin, delay: number, step: Step): void {
    for (const line of this.#late.splice(0)) this.#add(line);
    this.#origin = from;
    this.#delay = delay;
    this.#process = from.from === "tip" ? from.process : 0;
    if (step.do === "call") this.#call(context, step);
    else if (step.do === "hint") this.#hint(context, step);
    else if (step.do === "request") this.#request(context, step);
    else if (step.do === "prompt") this.#prompt(context, step);
    else if (step.do === "boundary") this.#boundary(context, step);
    else if (step.do === "clear") this.#clear(context, step);
    else if (step.do === "repeat") this.lines.push(this.lines.at(-1 - step.line) ?? "");
    else this.#garbage(step);
  }

  #call(context: Json, step: Extract<Step, { do: "call" }>): void {
    const [name, input] = TOOLS[step.tool] ?? ["Bash", {}];
    const ids = (step.twice ? [0, 1] : [0]).map(at => `toolu_${this.#ids.length + at}`);
    const content = ids.map(id => ({ type: "tool_use", id, name, input }));
    const message = { id: `msg_${this.#messages++}`, model: "m", content };
    if (!step.bare) this.#add({ ...context, type: "assistant", cwd: "/w", message });
    for (const id of ids) {
      this.#ids.push(id);
      this.#bodies.set(id, step.body);
      const failed = step.error && { is_error: true };
      const answer = { type: "tool_result", tool_use_id: id, content: step.body, ...failed };
      const record = step.native ? { toolUseResult: { type: "file_unchanged" } } : {};
      const line = { ...context, type: "user", message: { role: "user", content: [answer] }, ...record };
      if (step.late) this.#late.push(line);
      else this.#add(line);
    }
  }

  #hint(context: Json, { of, form, again }: Extract<Step, { do: "hint" }>): void {
    const id = this.#ids.at(-1 - of) ?? "toolu_gone";
    const hint = `> [ref: ${id}${["]", ", byte-identical]", ", byte-identical, from: Read(a.ts)]"][form % 3]}`;
    const spans = `first\n> [ref: ${id} lines 1-2]\n> [ref: toolu_0 lines 3-9, renumbered from 4]\nlast`;
    const colons = `2:> [ref: ${id} lines 1-2]\n3:\tlast line of a file with tabs`;
    const near = `> [near-ref: ${id}, status: queued→done]`;
    const behindNumbers = ["     1→", "1\t", "1:"].map(number => number + hint);
    const rest = again ? spans : `${hint}\nmore`;
    const content = [hint, hint, near, ...behindNumbers, colons, rest][form];
    const own = `toolu_${this.#ids.length}`;
    this.#ids.push(own);
    const block = { type: "tool_result", tool_use_id: own, content };
    this.#add({ ...context, type: "user", message: { content: [block] } });
    const call = { do: "call" as const, tool: 0, error: false, late: false, native: false, bare: false, twice: false };
    if (again) this.#call(context, { ...call, body: this.#bodies.get(id) });
  }

  #request(context: Json, { change, lines, odd, edited }: Extract<Step, { do: "request" }>): void {
    this.#input = Math.max(100, this.#input + change);
    const id = odd === 0 ? undefined : `msg_${this.#messages++}`;
    const model = odd === 1 ? "<synthetic>" : change === 500 ? "free" : change === -300 ? "strange" : "m";
    for (let line = 0; line < lines; line++) {
      const known = odd !== 2 || line > 0;
      const usage = { input_tokens: 3, cache_read_input_tokens: this.#input - 3, output_tokens: line };
      const edits = [{ type: "clear_tool_uses_20250919", cleared_tool_uses: line + lines - 1 }];
      const management = edited ? { context_management: { applied_edits: edits } } : {};
      const content = [{ type: "text", text: "…" }];
      const message = { id, model: known ? model : "m", content, ...(known && { usage }), ...management };
      this.#add({ ...context, type: "assistant", message });
    }
  }

  #prompt(context: Json, { parent, kind }: Extract<Step, { do: "prompt" }>): void {
    const more = kind === 4 ? { isMeta: true } : kind === 5 ? { isCompactSummary: true } : {};
    const content = kind === 6 ? [{ type: "text", text: "go" }] : "go";
    const parentUuid = kind === 8 ? null : (this.#uuids.at(-1 - parent) ?? null);
    const line = { ...context, type: "user", ...more, message: { role: "user", content } };
    if (kind === 7) this.#add({ ...context, type: "system", subtype: "local_command", parentUuid });
    else this.#add(kind < 3 ? line : { ...line, parentUuid });
  }

  #boundary(context: Json, { keep, old }: Extract<Step, { do: "boundary" }>): void {
    const kept = this.#uuids.slice(-1 - keep);
    const uuids = keep < 3 ? undefined : kept;
    const line = old && uuids ? { compactMetadata: { preservedMessages: { uuids } } } : {};
    // In real logs its parent was often never written.
    const tip = keep % 2 === 0 ? this.#tips.get(keyOf(context))?.[0] : "a reminder";
    this.#add({ ...boundary(uuids), ...line, ...context, parentUuid: null, logicalParentUuid: old ? null : tip });
  }

  #clear(context: Json, { of, by }: Extract<Step, { do: "clear" }>): void {
    const ids = of.map(back => this.#ids.at(-1 - back) ?? "toolu_gone");
    if (by === "microcompact") this.#add({ ...microcompact(ids), ...context });
    else if (by === "cut") this.#add({ ...cut(ids), ...context });
    else if (context["isSidechain"] !== true || "agentId" in context) {
      this.lines.push(JSON.stringify({ ...replacement(ids), ...context }));
    }
  }

  #garbage({ kind, cut }: Extract<Step, { do: "garbage" }>): void {
    const torn = (this.lines.at(-1) ?? "{}").slice(0, 1 + cut);
    const whole = torn.length > cut ? torn : "{";
    const kinds = ["", "no JSON", "[]", '"text"', "null", whole, JSON.stringify({ type: "new-kind", sessionId: "s" })];
    this.lines.push(kinds[kind] ?? "");
  }

  #add(line: Json): void {
    const uuid = `uuid-${this.#uuids.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * this.lines.length).toISOString();
    const tips = this.#tips.get(keyOf(line)) ?? [undefined, undefined];
    const parentUuid = this.#parentFrom(uuid, tips);
    // Only the first line of a step has a parent elsewhere.
    this.#origin = { from: "tip", process: this.#process };
    this.#uuids.push(uuid);
    tips[this.#process] = uuid;
    this.#tips.set(keyOf(line), tips);
    this.#put(JSON.stringify({ uuid, ...(parentUuid !== undefined && { parentUuid }), timestamp, ...line }));
  }

  #put(line: string): void {
    if (this.#delay > 0) this.#delayed.push({ line, after: this.lines.length + this.#delay });
    else this.lines.push(line);
    this.#delay = 0;
    const due = this.#delayed.filter(({ after }) => after <= this.lines.length);
    this.#delayed = this.#delayed.filter(one => !due.includes(one));
    this.lines.push(...due.map(one => one.line));
  }

  #parentFrom(own: string, tips: readonly (string | undefined)[]): string | null | undefined {
    const origin = this.#origin;
    switch (origin.from) {
      case "tip":
        return tips[origin.process] ?? tips[0] ?? null;
      case "older":
        return this.#uuids.at(-1 - origin.back) ?? null;
      case "later":
        return `uuid-${this.#uuids.length + origin.ahead}`;
      case "itself":
        return own;
      case "gone":
        return "uuid-gone";
      case "null":
        return null;
      case "nothing":
        return undefined;
    }
  }
}

function keyOf({ isSidechain, agentId }: Json): string {
  return isSidechain === true ? String(agentId) : "main";
}
