/**
 * Plays a log to the mod's core as Claude Code would have: rows, requests, compactions. Claude Code itself cannot
 * replay a log, so what `$` would return is derived from the log here; test/claude/mod.test.ts uses the real one.
 */

import { digest } from "../../src/dedup/digest.js";
import { emissionOf, emittedBy } from "../../src/dedup/emission.js";
import { fingerprint } from "../../src/dedup/fingerprint.js";
import { ContextReplay } from "../../src/dedup/replay.js";
import { LineScanner } from "../../src/dedup/runs/lines.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import { bytesOf } from "../../src/log/bytes.js";
import { contextIdOf, isSynthetic, parentOf, preservedBy } from "../../src/log/contextRules.js";
import { LogReader } from "../../src/log/logReader.js";
import {
  blocksOf,
  bodyOf,
  type LogRecord,
  listOf,
  type Members,
  membersOf,
  recordOf,
  stringOf,
  stringsOf,
} from "../../src/log/record.js";
import { agentOfFile } from "../../src/log/sessionFiles.js";
import { readUsage } from "../../src/log/usage.js";
import { Ledger } from "../../src/mod/ledger.js";
import { MAIN, type Row } from "../../src/mod/modEvents.js";
import { LiveHints } from "../../src/mod/sessionHints.js";

/** By context and call, what the model would have received instead of the result; undefined if it was not text. */
export type Emitted = Map<string, string | undefined>;

interface KnownCall {
  readonly line: string;
  readonly summary: { tool_use_id: string; tool: string; input: unknown; text?: string };
}

export class LogPlayer {
  readonly emitted: Emitted = new Map();
  /** Gets every row as it is in the log, as if there were no hints. */
  readonly ledger: Ledger;
  readonly #hints: LiveHints;
  readonly #agent: string | undefined;
  readonly #parents = new Map<string, unknown>();
  /** Of the main conversation, by id. */
  readonly #calls = new Map<string, KnownCall>();
  readonly #resultLines = new Map<string, string>();
  readonly #messageIds = new Map<string, unknown>();
  #leaf = "";

  /** By call, what it returned according to the log. */
  readonly returned = new Map<string, string>();
  /** By call and member, the strings of its input. */
  readonly inputs = new Map<string, string>();

  constructor(path: string, honorsReasks: boolean, settings: DedupSettings = DEFAULT_SETTINGS) {
    this.#agent = agentOfFile(path);
    this.#hints = new LiveHints(settings, { honorsReasks });
    this.ledger = new Ledger(settings);
    this.ledger.settle([], undefined);
  }

  play(text: string): void {
    for (const line of text.split("\n").slice(0, -1)) {
      const record = recordOf(line);
      if (record !== undefined) this.#take(record);
    }
  }

  #take(record: LogRecord): void {
    const context = contextIdOf(record, this.#agent);
    const agentId = context === MAIN ? undefined : context;
    const uuid = stringOf(record.uuid);
    if (uuid !== undefined) this.#parents.set(uuid, parentOf(record));
    if (record.type === "assistant") this.#takeAssistant(record, context, agentId);
    else if (record.type === "user") this.#takeUser(record, context, agentId);
    else if (record.type === "system" && record.subtype === "compact_boundary") this.#compact(record, agentId);
    else if (record.type === "attachment" && membersOf(record.attachment)["type"] === "tool_results_cut") {
      const row = { door: "attachment", message: { name: "tool_results_cut" }, agentId };
      this.#hints.take(row);
      this.#write(row, record);
    } else if (agentId === undefined) this.#clear(record);
  }

  #takeAssistant(record: LogRecord, context: string, agentId: string | undefined): void {
    const message = membersOf(record.message);
    if (context === MAIN) this.#leaf = stringOf(record.uuid) ?? this.#leaf;
    if (isSynthetic(message)) {
      this.#write({ door: "other-than-prompt", agentId }, record);
      return this.#hints.take({ door: "other-than-prompt", agentId });
    }
    const id = message["id"];
    const isNew = id === undefined || this.#messageIds.get(context) !== id;
    if (isNew) this.#hints.ask({ agentId }, stringOf(record.cwd));
    if (isNew) this.ledger.ask({ agentId, model: message["model"] });
    this.#messageIds.set(context, id);
    if (context === MAIN) this.#settle();
    this.#hints.take({ door: "response", message, agentId });
    this.#hints.answered({ agentId }, message);
    this.#write({ door: "response", message, agentId }, record);
    if (isNew && readUsage(message["usage"]).input > 0) this.ledger.answered({ agentId }, message, timeOf(record));
    for (const block of blocksOf(record)) {
      const call = stringOf(block["id"]);
      if (block["type"] !== "tool_use" || call === undefined) continue;
      for (const [key, text] of Object.entries(membersOf(block["input"]))) {
        if (typeof text === "string") this.inputs.set(`${context} ${call} ${key}`, text);
      }
      if (context !== MAIN) continue;
      const summary = { tool_use_id: call, tool: stringOf(block["name"]) ?? "", input: block["input"] };
      this.#calls.set(call, { line: stringOf(record.uuid) ?? "", summary });
    }
  }

  #takeUser(record: LogRecord, context: string, agentId: string | undefined): void {
    const blocks = blocksOf(record).filter(({ type }) => type === "tool_result");
    if (blocks.length === 0) {
      this.#write({ door: "prompt", agentId }, record);
      return this.#hints.take({ door: "prompt", agentId });
    }
    const [block] = blocks;
    if (block !== undefined) this.#hints.returned(block, { result: record.toolUseResult });
    if (block !== undefined) this.ledger.returned(block, { result: record.toolUseResult });
    const row = { door: "tool-result", message: { content: blocks }, agentId };
    if (context === MAIN) this.#settle();
    this.#write(row, record);
    const replacement = this.#hints.replace(row);
    const isHeld = replacement !== undefined && this.#hints.holds(replacement, this.#messages);
    if (replacement !== undefined && !isHeld) this.#hints.withdraw(replacement);
    const answers = isHeld ? replacement.answers : [];
    for (const block of blocks) this.#keep(block, record, context, answers);
  }

  #keep(block: Members, record: LogRecord, context: string, answers: readonly { id: string; text: string }[]): void {
    const id = stringOf(block["tool_use_id"]) ?? "";
    const key = `${context} ${id}`;
    if (this.emitted.has(key)) return;
    const text = answers.find(answer => answer.id === id)?.text;
    this.emitted.set(key, text);
    const body = bodyOf(block["content"]);
    if (body !== null) this.returned.set(key, body);
    this.#resultLines.set(id, stringOf(record.uuid) ?? "");
    const call = this.#calls.get(id);
    if (call !== undefined && text !== undefined) call.summary.text = text;
  }

  #compact(record: LogRecord, agentId: string | undefined): void {
    const kept = new Set(preservedBy(record));
    for (const id of [...this.#calls.keys()]) if (!kept.has(this.#resultLines.get(id) ?? "")) this.#calls.delete(id);
    this.#hints.compacted({ agentId }, this.#messages);
    this.ledger.compacted({ agentId }, this.#messages);
  }

  #write(row: Row, record: LogRecord): void {
    this.ledger.take(row, stringOf(record.cwd), timeOf(record));
  }

  /** How a mod learns of these has never been observed: treated as if the list of messages left them out. */
  #clear(record: LogRecord): void {
    const replaced = listOf(record.replacements).map(one => membersOf(one)["toolUseId"]);
    const ids = stringsOf([...replaced, ...listOf(membersOf(record.microcompactMetadata)["compactedToolIds"])]);
    if (ids.length === 0) return;
    for (const id of ids) this.#calls.delete(id);
    this.#hints.settle(this.#messages);
    this.ledger.settle(this.#messages, undefined);
  }

  #settle(): void {
    if (!this.#hints.isUnsure({})) return;
    this.#hints.settle(this.#messages);
    this.ledger.settle(this.#messages, undefined);
  }

  /** What `$.session.messages()` would list: calls in the newest answer's chain of parents. */
  get #messages(): unknown {
    const chain = new Set<unknown>();
    for (let uuid: unknown = this.#leaf; typeof uuid === "string" && !chain.has(uuid); uuid = this.#parents.get(uuid)) {
      chain.add(uuid);
    }
    const calls = [...this.#calls.values()].filter(({ line }) => line === "" || chain.has(line));
    return calls.map(({ summary }) => ({ role: "assistant", text: "", toolUses: [summary] }));
  }
}

function timeOf({ timestamp }: LogRecord): number {
  return Date.parse(stringOf(timestamp) ?? "") || 0;
}

/** What the replay of a log emits. */
export function replayedEmissions(path: string, text: string, settings: DedupSettings): Emitted {
  const emitted: Emitted = new Map();
  replayEach(path, text, settings, context => ({
    event: () => {},
    decided: decision => {
      const { result } = decision;
      const emission = emissionOf(decision);
      emitted.set(`${context} ${result.id}`, emission && emittedBy(result.body ?? "", emission));
    },
  }));
  return emitted;
}

/** A log's results from after live hints had fallen back: a log without hints cannot predict those. */
export function resultsAfterFall(path: string, text: string, settings: DedupSettings): ReadonlySet<string> {
  const after = new Set<string>();
  replayEach(path, text, settings, context => {
    let hasFallen = false;
    return {
      event: ({ kind }) => {
        hasFallen ||= kind === "fallback";
      },
      decided: ({ result }) => {
        if (hasFallen) after.add(`${context} ${result.id}`);
      },
    };
  });
  return after;
}

function replayEach(
  path: string,
  text: string,
  settings: DedupSettings,
  sinkOf: (context: string) => ConstructorParameters<typeof ContextReplay>[1],
): void {
  const replays = new Map<string, ContextReplay>();
  const scanner = new LineScanner();
  const reader = new LogReader(
    (context, fact) => {
      const replay = replays.get(context.id) ?? new ContextReplay(settings, sinkOf(context.id));
      replays.set(context.id, replay);
      replay.take(digest(fact, true, fingerprint, scanner));
    },
    { agentOfFile: agentOfFile(path), withCalls: true },
  );
  reader.push(bytesOf(text));
}
