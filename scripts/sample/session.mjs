// The session as it unfolds: prompts, API messages with their tool results, and the events that shorten a context.

import { context, Log, letters, tokensOf, uuidOf } from "./lines.mjs";
import { Project, ROOT } from "./project.mjs";
import { Tools } from "./tools.mjs";

/** @typedef {import("./tools.mjs").Call} Call */
/** @typedef {{ uuid: string, before: number, tokens: number }} Result */

export class Session {
  constructor() {
    this.log = new Log();
    this.project = new Project();
    this.tools = new Tools(this.project);
    this.main = context(null, "claude-opus-5", 21_640);
    this.here = this.main;
    /** @type {Map<string, Result>} by tool call id */
    this.results = new Map();
    /** Lines of the main context with its size before each. @type {{ uuid: string, before: number }[]} */
    this.trail = [];
    /** @type {string | null} */
    this.thought = null;
    this.turnStart = 0;
    this.dropped = 0;
  }

  /** @param {object} fields @param {number} tokens @param {{ uuid?: string, parent?: string | null }} [given] */
  line(fields, tokens, given) {
    const before = this.here.total;
    const uuid = this.log.chain(this.here, fields, given);
    this.here.total += tokens;
    if (this.here === this.main) this.trail.push({ uuid, before });
    return uuid;
  }

  /** The user types a prompt. @param {string} text @param {number} [minutes] since the last answer */
  prompt(text, minutes = 1.5) {
    const { log, here } = this;
    log.wait(minutes * 60_000);
    here.promptId = uuidOf(`prompt ${++log.counts.prompt}`);
    const uuid = log.uuid();
    const snapshot = { messageId: uuid, trackedFileBackups: {}, timestamp: log.stamp() };
    log.push({ type: "file-history-snapshot", messageId: uuid, snapshot, isSnapshotUpdate: false });
    this.turnStart = log.clock;
    const fields = { promptId: here.promptId, type: "user", message: { role: "user", content: text } };
    const more = { permissionMode: "acceptEdits", promptSource: "typed", origin: { kind: "human" } };
    return this.line({ ...fields, ...more }, tokensOf(text.length, uuid), { uuid });
  }

  /** The next message starts with this thought. @param {string} text */
  think(text) {
    this.thought = text;
  }

  /** @param {string | null} text @returns {any[]} */
  opening(text) {
    const blocks = [];
    if (this.thought !== null) {
      const signature = Buffer.from(letters(this.thought, 32) + letters(`${this.thought}.`, 32)).toString("base64");
      blocks.push({ type: "thinking", thinking: this.thought, signature });
    }
    this.thought = null;
    if (text !== null) blocks.push({ type: "text", text });
    return blocks;
  }

  /** @param {any[]} blocks @param {"tool_use" | "end_turn"} stop */
  message(blocks, stop) {
    const before = this.here.total;
    const uuids = this.log.message(this.here, blocks, stop);
    if (this.here === this.main) this.trail.push(...uuids.map(uuid => ({ uuid, before })));
    return uuids;
  }

  /** One API message with tool calls, and their results. @param {string | null} text @param {...Call} calls */
  act(text, ...calls) {
    const { log } = this;
    log.wait(9_000);
    const ids = calls.map(() => log.toolId());
    const blocks = this.opening(text);
    const first = blocks.length;
    calls.forEach((call, i) => {
      blocks.push({ type: "tool_use", id: ids[i], name: call.name, input: call.input, caller: { type: "direct" } });
    });
    const uuids = this.message(blocks, "tool_use");
    calls.forEach((call, i) => {
      this.result(call, /** @type {string} */ (ids[i]), /** @type {string} */ (uuids[first + i]));
    });
    return ids;
  }

  /** @param {Call} call @param {string} id @param {string} asked uuid of the line with the call */
  result(call, id, asked) {
    this.log.wait(call.ms);
    /** @type {any[]} */
    const parts = typeof call.content === "string" ? [{ text: call.content }] : call.content;
    const chars = parts.reduce((sum, part) => sum + (part.text ?? "").length, 0);
    const tokens = tokensOf(chars, id) + 150 * parts.filter(part => part.type === "image").length;
    const block = { tool_use_id: id, type: "tool_result", content: call.content };
    const content = [call.error ? { ...block, is_error: true } : block];
    const fields = { promptId: this.here.promptId, type: "user", message: { role: "user", content } };
    const before = this.here.total;
    const more = { toolUseResult: call.meta, sourceToolAssistantUUID: asked };
    const uuid = this.line({ ...fields, ...more }, tokens, { parent: asked });
    this.results.set(id, { uuid, before, tokens });
  }

  /** The last message of a turn. @param {string} text */
  say(text) {
    this.log.wait(6_000);
    const [uuid = ""] = this.message(this.opening(text), "end_turn").slice(-1);
    if (this.here !== this.main) return uuid;
    const durationMs = this.log.clock - this.turnStart;
    return this.line({ type: "system", subtype: "turn_duration", durationMs, isMeta: false }, 0);
  }

  /** @param {{ type: string } & Record<string, unknown>} attachment @param {number} chars shown to the model */
  attach(attachment, chars) {
    const uuid = this.log.uuid();
    return this.line({ attachment, type: "attachment" }, tokensOf(chars, uuid), { uuid });
  }

  /**
   * A subagent whose lines are in the main log. @param {string} text @param {string} description @param {string} prompt
   * @param {() => void} work @param {string} answer
   */
  agent(text, description, prompt, work, answer) {
    const { log } = this;
    log.wait(8_000);
    const id = log.toolId();
    const input = { description, prompt, subagent_type: "general-purpose" };
    const uuids = this.message([...this.opening(text), { type: "tool_use", id, name: "Agent", input }], "tool_use");
    const agentId = `a${uuidOf(`agent ${id}`).replaceAll("-", "").slice(0, 16)}`;
    const start = log.clock;
    const calls = this.results.size;
    this.here = context(agentId, "claude-sonnet-5", 15_930);
    this.here.promptId = this.main.promptId;
    const asked = { promptId: this.here.promptId, type: "user", message: { role: "user", content: prompt } };
    this.line(asked, tokensOf(prompt.length, agentId));
    work();
    this.say(answer);
    const totalTokens = this.here.total;
    this.here = this.main;
    const content = [{ type: "text", text: answer }];
    const took = { totalDurationMs: log.clock - start, totalTokens, totalToolUseCount: this.results.size - calls };
    const meta = { status: "completed", agentId, agentType: "general-purpose", prompt, content, ...took };
    this.result({ name: "Agent", input, content, meta, ms: 50 }, id, /** @type {string} */ (uuids.at(-1)));
    return id;
  }

  /**
   * Auto-compaction in the middle of a turn that keeps the tail from one line on.
   * @param {string} from uuid of the first preserved line @param {string} summary
   */
  compact(from, summary) {
    const { log, main } = this;
    const start = this.trail.findIndex(entry => entry.uuid === from);
    const kept = this.trail.slice(start);
    const uuids = kept.map(entry => entry.uuid);
    const [headUuid, tailUuid] = [uuids[0], /** @type {string} */ (uuids.at(-1))];
    const tail = main.total - /** @type {{ before: number }} */ (kept[0]).before;
    const anchorUuid = uuidOf("summary");
    const preTokens = main.total;
    const tokens = tokensOf(summary.length, anchorUuid);
    log.wait(74_000);
    main.total = main.base + tokens + tail;
    main.cached = 14_212;
    this.dropped += preTokens - main.total;
    const compactMetadata = {
      trigger: "auto",
      preTokens,
      durationMs: 71_806,
      preservedSegment: { headUuid, anchorUuid, tailUuid },
      preservedMessages: { anchorUuid, uuids, allUuids: uuids },
      postTokens: main.total,
      cumulativeDroppedTokens: this.dropped,
    };
    const what = { type: "system", subtype: "compact_boundary", content: "Conversation compacted", isMeta: false };
    const boundary = { logicalParentUuid: tailUuid, ...what, level: "info", compactMetadata };
    this.line(boundary, 0, { parent: null });
    const message = { role: "user", content: summary };
    const marks = { isVisibleInTranscriptOnly: true, isCompactSummary: true };
    this.line({ promptId: main.promptId, type: "user", message, ...marks }, 0, { uuid: anchorUuid });
    main.parent = tailUuid;
  }

  /** Old results leave the context, with a line that says so. @param {string[]} ids */
  microcompact(ids) {
    const preTokens = this.main.total;
    const tokensSaved = this.forget(ids);
    const microcompactMetadata = {
      trigger: "auto",
      preTokens,
      tokensSaved,
      compactedToolIds: ids,
      clearedAttachmentUUIDs: [],
    };
    const what = { type: "system", subtype: "microcompact_boundary", content: "Context microcompacted", isMeta: false };
    this.line({ ...what, level: "info", microcompactMetadata }, 0);
  }

  /** One result is sent to the model in another form from now on. @param {string} id @param {string} replacement */
  replaceResult(id, replacement) {
    this.forget([id]);
    this.main.total += tokensOf(replacement.length, `replacement ${id}`);
    const replacements = [{ kind: "tool-result", toolUseId: id, replacement }];
    this.log.note("content-replacement", { replacements, uuid: this.log.uuid(), timestamp: this.log.stamp() });
  }

  /** Takes results out of the context; the cache holds up to the first of them. @param {string[]} ids */
  forget(ids) {
    const gone = ids.map(id => /** @type {Result} */ (this.results.get(id)));
    const tokens = gone.reduce((sum, result) => sum + result.tokens, 0);
    this.main.cached = Math.min(this.main.cached, ...gone.map(result => result.before));
    this.main.total -= tokens;
    return tokens;
  }

  /** Old results leave the context without a line in the log. @param {number} share of what the session added */
  shrink(share) {
    this.main.total -= Math.round((this.main.total - this.main.base) * share);
    this.main.cached = 14_212;
  }

  /** The main context's current position, to return to. */
  mark() {
    return { parent: this.main.parent, total: this.main.total, cached: this.main.cached };
  }

  /** @param {ReturnType<Session["mark"]>} mark */
  rewind(mark) {
    Object.assign(this.main, mark);
  }

  /** The uuid of the line with this call, or of the text before it. @param {string} id */
  lineBefore(id) {
    const result = this.trail.findIndex(entry => entry.uuid === this.results.get(id)?.uuid);
    return /** @type {{ uuid: string }} */ (this.trail[result - 2]).uuid;
  }

  /** @param {string} path */
  where(path) {
    return `${ROOT}/${path}`;
  }
}
