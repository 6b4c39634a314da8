/**
 * Plays a log to the hook as Claude Code would have: a growing log, and an event for every result before its line is
 * written. The log then gets what the hook returned.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { numberCode, numberedPart, styleOfCode } from "../../src/dedup/runs/numbered.js";
import type { DedupSettings } from "../../src/dedup/settings.js";
import { type ReadFormat, shapeOf, unnumbered } from "../../src/dedup/toolShapes.js";
import { answer } from "../../src/hook/answer.js";
import { readEvent } from "../../src/hook/event.js";
import { USUAL_FORMAT } from "../../src/hook/liveContext.js";
import { contextIdOf } from "../../src/log/contextRules.js";
import { blocksOf, bodyOf, type LogRecord, type Members, recordOf, stringOf } from "../../src/log/record.js";
import { agentOfFile } from "../../src/log/sessionFiles.js";
import type { Emitted } from "./modLog.js";

export class HookPlayer {
  readonly emitted: Emitted = new Map();
  /** By call: what it returned according to the log; by call and member: the strings of its input. */
  readonly returned = new Map<string, string>();
  readonly inputs = new Map<string, string>();
  /** Results for which the hook saw a different text than the log has. */
  readonly unlike: string[] = [];
  readonly #settings: DedupSettings;
  readonly #agent: string | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), "dedup-hook-"));
  readonly #path: string;
  readonly #honorsReasks: boolean;
  readonly #calls = new Map<string, { readonly tool: string; readonly input: unknown; readonly cwd: unknown }>();
  #unwritten = "";
  #log = "";

  constructor(path: string, honorsReasks: boolean, settings: DedupSettings) {
    this.#settings = settings;
    this.#honorsReasks = honorsReasks;
    this.#agent = agentOfFile(path);
    this.#path = join(this.#folder, basename(path));
    writeFileSync(this.#path, "");
  }

  play(text: string): void {
    try {
      for (const line of text.split("\n").slice(0, -1)) {
        const record = recordOf(line);
        const written = record === undefined ? line : this.#playedLine(line, record);
        this.#unwritten += `${written}\n`;
        this.#log += `${written}\n`;
      }
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** The resulting log, with hints in it. */
  get log(): string {
    return this.#log;
  }

  /** The line as Claude Code writes it. */
  #playedLine(line: string, record: LogRecord): string {
    const context = contextIdOf(record, this.#agent);
    const blocks = blocksOf(record);
    if (record.type === "assistant") this.#keepCalls(blocks, context, record.cwd);
    if (record.type !== "user" || !blocks.some(({ type }) => type === "tool_result")) return line;
    const played = blocks.map(block =>
      block["type"] === "tool_result" ? this.#answered(block, record, context) : block,
    );
    if (played.every((block, at) => block === blocks[at])) return line;
    return JSON.stringify({ ...record, message: { ...(record.message as object), content: played } });
  }

  #keepCalls(blocks: readonly Members[], context: string, cwd: unknown): void {
    for (const { type, id, name, input } of blocks) {
      if (type !== "tool_use" || typeof id !== "string") continue;
      this.#calls.set(id, { tool: stringOf(name) ?? "", input, cwd });
      for (const [key, text] of Object.entries(Object(input))) {
        if (typeof text === "string") this.inputs.set(`${context} ${id} ${key}`, text);
      }
    }
  }

  #answered(block: Members, record: LogRecord, context: string): Members {
    const id = stringOf(block["tool_use_id"]) ?? "";
    const key = `${context} ${id}`;
    const body = bodyOf(block["content"]);
    if (this.emitted.has(key)) return block;
    const text = body === null || block["is_error"] === true ? undefined : this.#answerTo(id, body, record, context);
    this.emitted.set(key, text);
    if (body !== null) this.returned.set(key, body);
    return text === undefined ? block : { ...block, content: text };
  }

  #answerTo(id: string, body: string, record: LogRecord, context: string): string | undefined {
    // A hook gets the path of its own conversation's log; only old versions have a subagent's lines in the session's
    // log.
    if (context !== (this.#agent ?? "main")) return undefined;
    const { tool = "", input, cwd } = this.#calls.get(id) ?? {};
    const response = record.toolUseResult ?? responseFor(tool, body);
    const shape = shapeOf(tool, response);
    const format = formatOf(body);
    if (shape !== undefined && shape.body(format) !== body) this.unlike.push(`${context} ${id}`);
    appendFileSync(this.#path, this.#unwritten);
    this.#unwritten = "";
    const event = readEvent({
      hook_event_name: "PostToolUse",
      transcript_path: this.#path,
      tool_name: tool,
      tool_input: input,
      tool_response: response,
      tool_use_id: id,
      cwd,
    });
    if (event === undefined) return undefined;
    const settings = { engine: this.#settings, folder: join(this.#folder, "state") };
    const { output } = answer(event, settings, { honorsReasks: this.#honorsReasks });
    const { updatedToolOutput } = (output as { hookSpecificOutput?: Members } | undefined)?.hookSpecificOutput ?? {};
    return updatedToolOutput === undefined ? undefined : shapeOf(tool, updatedToolOutput)?.body(format);
  }
}

function formatOf(text: string): ReadFormat {
  const part = numberedPart(text);
  if (part === undefined) return USUAL_FORMAT;
  return { style: styleOfCode(numberCode(text.slice(part.begin))), after: text.slice(part.end) };
}

/** For logs that do not have the tool's own response. */
function responseFor(tool: string, text: string): unknown {
  if (tool.startsWith("mcp__")) return text;
  if (tool === "Bash" || tool === "PowerShell") return { stdout: text, stderr: "", interrupted: false, isImage: false };
  if (tool !== "Read") return undefined;
  const part = numberedPart(text);
  if (part === undefined) return undefined;
  return { type: "text", file: { filePath: "/a", ...unnumbered(text.slice(part.begin, part.end)) } };
}
