// The session as it unfolds: prompts, API messages with their tool results, subagents, and a compaction.

import { context, hexOf, Log, letters, SESSION_ID, SHARED, sessionOf, tokensOf, uuidOf } from "./lines.mjs";
import { Project, ROOT } from "./project.mjs";
import { Tools } from "./tools.mjs";

/** @typedef {import("./tools.mjs").Call} Call */
/** @typedef {import("./lines.mjs").Context} Context */
/** @typedef {{ type: string, description: string, prompt: string, work: () => void, answer: string }} Task */
/** @typedef {{ log: Log, id: string, toolId: string, task: Task, tokens: number, calls: number, ms: number }} Agent */

const START = Date.UTC(2026, 10, 12, 8, 47, 12, 418);
const MODEL = "claude-opus-5-5";
const PERMISSION = { decision: "accept", source: "config", reasonType: "rule", ruleSource: "localSettings" };

export class Session {
  constructor() {
    this.log = new Log("main", START, "main");
    this.project = new Project();
    this.tools = new Tools(this.project);
    this.main = context(this.log, null, MODEL, 21_640);
    this.here = this.main;
    /** @type {Agent[]} */
    this.agents = [];
    this.position = { promptIndex: 0, turnIndex: 0 };
    this.turn = { start: 0, origin: "human", snapshot: "" };
    /** The lines of the last answer. @type {{ uuids: string[], tokens: number }} */
    this.answer = { uuids: [], tokens: 0 };
    this.lastPrompt = "";
    this.thought = "";
    /** @type {string[]} */
    this.used = [];
    this.results = 0;
    for (const [type, fields] of this.modes()) this.log.note(type, fields);
  }

  /** @returns {[string, object][]} */
  modes() {
    return [
      ["mode", { mode: "normal" }],
      ["permission-mode", { permissionMode: "acceptEdits" }],
      ["atis-latch", { atis: "" }],
    ];
  }

  /** A line of a conversation. @param {object} fields @param {number} tokens @param {{ uuid?: string, parent?: string | null }} [given] */
  line(fields, tokens, given) {
    const uuid = this.here.log.chain(this.here, fields, given);
    this.here.total += tokens;
    return uuid;
  }

  /** The user types a prompt. @param {string} text @param {number} [minutes] since the last answer */
  prompt(text, minutes = 1.5) {
    const { log } = this;
    log.wait(minutes * 60_000);
    const uuid = log.uuid();
    const snapshot = { messageId: uuid, trackedFileBackups: {}, timestamp: log.stamp() };
    log.push({ type: "file-history-snapshot", messageId: uuid, snapshot, isSnapshotUpdate: false });
    this.position.promptIndex++;
    this.turn = { start: log.clock, origin: "human", snapshot: uuid };
    this.lastPrompt = text;
    this.said(text, { origin: { kind: "human" }, promptSource: "typed" }, uuid);
  }

  /** What replaces a prompt. @param {string} text @param {object} marks @param {string} [uuid] */
  said(text, marks, uuid = this.log.uuid()) {
    const { here, log } = this;
    here.promptId = uuidOf(`prompt ${++log.counts.prompt}`);
    this.position.turnIndex++;
    const before = { promptId: here.promptId, type: "user", message: { role: "user", content: text } };
    const turn = { turnOrigin: this.turn.origin, turnPosition: { ...this.position } };
    const after = { permissionMode: "acceptEdits", ...marks, ...turn };
    this.line({ before, after }, tokensOf(text.length, uuid), { uuid });
    log.note("last-prompt", { lastPrompt: this.lastPrompt, leafUuid: uuid });
    for (const [type, fields] of this.modes()) log.note(type, fields);
  }

  /** The next message starts with a thought, of which the log has only the signature. */
  think() {
    this.thought = `thought ${this.log.lines.length}`;
  }

  /** @param {string | null} text @returns {any[]} */
  opening(text) {
    const blocks = [];
    const signature = Buffer.from(letters(this.thought, 32) + letters(`${this.thought}.`, 32)).toString("base64");
    if (this.thought !== "") blocks.push({ type: "thinking", thinking: "", signature });
    this.thought = "";
    if (text !== null) blocks.push({ type: "text", text });
    return blocks;
  }

  /** One API message with tool calls. Returns their ids and the lines that they are on. @param {string | null} text @param {readonly Call[]} calls */
  calls(text, calls) {
    const { log } = this.here;
    log.wait(1_500);
    const names = [...new Set([...this.used, ...calls.map(({ name }) => name)])];
    if (this.here === this.main && names.length > this.used.length) {
      log.note("tools-used", { tools: names });
      this.used = names;
    }
    const opening = this.opening(text);
    const ids = calls.map(() => log.toolId());
    const uses = calls.map(({ name, input }, i) => ({ type: "tool_use", id: ids[i], name, input }));
    const uuids = log.message(this.here, [...opening, ...uses], "tool_use").slice(opening.length);
    return calls.map((call, i) => ({ call, id: ids[i] ?? "", asked: uuids[i] ?? "" }));
  }

  /** One API message with tool calls, and their results. @param {string | null} text @param {...Call} calls */
  act(text, ...calls) {
    for (const { call, id, asked } of this.calls(text, calls)) this.result(call, id, asked);
  }

  /** @param {Call} call @param {string} id @param {string} asked uuid of the line with the call */
  result(call, id, asked) {
    const { here } = this;
    here.log.wait(call.ms);
    if (call.backup !== undefined && here === this.main) this.backUp(call.backup, asked);
    const text = typeof call.content === "string" ? call.content : call.content.map(part => part.text ?? "").join("");
    const isBash = call.name === "Bash";
    const named = { tool_use_id: id, type: "tool_result", content: call.content };
    const plain = isBash ? { ...named, is_error: false } : named;
    const failed = { type: "tool_result", content: call.content, is_error: true, tool_use_id: id };
    const content = [call.error ? failed : plain];
    const before = { promptId: here.promptId, type: "user", message: { role: "user", content } };
    const ran = call.denied ?? { permissionDecision: PERMISSION };
    const after = {
      toolUseResult: call.meta,
      ...(isBash && call.denied === undefined ? { sandboxed: false } : {}),
      sourceToolAssistantUUID: asked,
      ...ran,
      ...sessionOf(here),
    };
    this.line({ before, after }, tokensOf(text.length, id), { parent: asked });
    this.results++;
  }

  /** The file as it was before its first change. @param {{ path: string, isNew: boolean }} file @param {string} messageId */
  backUp({ path, isNew }, messageId) {
    const backupTime = this.log.stamp();
    const backupFileName = isNew ? null : `${hexOf(`backup ${path}`, 16)}@v1`;
    const realParentDir = `${ROOT}/${path}`.replace(/\/[^/]+$/, "");
    const backup = { backupFileName, version: 1, backupTime, realParentDir };
    const about = { messageId, snapshotMessageId: this.turn.snapshot, trackingPath: path };
    this.log.push({ type: "file-history-delta", ...about, backup, timestamp: backupTime });
  }

  /** The last message of a turn. @param {string} text */
  say(text) {
    const { here, log } = this;
    here.log.wait(900);
    const uuids = here.log.message(here, this.opening(text), "end_turn");
    if (here !== this.main) return;
    const durationMs = log.clock - this.turn.start;
    const messageCount = here.messages * 2 + this.results;
    const before = { type: "system", subtype: "turn_duration", durationMs, messageCount };
    const end = this.line({ before, after: { isMeta: false } }, 0);
    this.answer = { uuids: [...uuids, end], tokens: tokensOf(text.length, end) };
  }

  /** The user presses Esc while a command runs. @param {string | null} text @param {Call} call */
  interrupted(text, call) {
    for (const { id, asked } of this.calls(text, [call])) this.result(call, id, asked);
    const content = [{ type: "text", text: "[Request interrupted by user for tool use]" }];
    const before = { promptId: this.here.promptId, type: "user", message: { role: "user", content } };
    const after = { interruptedMessageId: this.log.lastMessage, ...sessionOf(this.here) };
    this.line({ before, after }, 12);
  }

  /**
   * @param {{ type: string } & Record<string, unknown>} attachment
   * @param {"system" | "user"} renderedRole @param {...string} texts what the model is shown
   */
  attach(attachment, renderedRole, ...texts) {
    const { here } = this;
    const rendered = texts.map(text => ({ content: `<system-reminder>\n${text}\n</system-reminder>` }));
    const uuid = here.log.uuid();
    const tokens = tokensOf(texts.join("").length, uuid);
    const after = { rendered, renderedRole, ...sessionOf(here) };
    this.line({ before: { attachment, type: "attachment" }, after }, tokens, { uuid });
  }

  /** Subagents that work in the background, each with its own log. @param {string} text @param {...Task} tasks */
  launch(text, ...tasks) {
    const calls = tasks.map(({ type, description, prompt }) =>
      this.tools.agent({ description, prompt, subagent_type: type }),
    );
    const agents = this.calls(text, calls).map(({ call, id, asked }, i) => {
      const agentId = `a${hexOf(`agent ${id}`, 16)}`;
      const task = /** @type {Task} */ (tasks[i]);
      this.result(this.tools.launched(call, agentId, MODEL), id, asked);
      return this.work(task, agentId, id);
    });
    this.agents.push(...agents);
    return agents;
  }

  /** @param {Task} task @param {string} agentId @param {string} toolId @returns {Agent} */
  work(task, agentId, toolId) {
    const log = new Log(agentId, this.log.clock, this.log.branch);
    const before = this.results;
    this.here = context(log, { agentId, agentType: task.type }, MODEL, 15_930);
    this.here.promptId = this.main.promptId;
    const asked = { promptId: this.here.promptId, type: "user", message: { role: "user", content: task.prompt } };
    this.line({ before: asked }, tokensOf(task.prompt.length, agentId));
    task.work();
    this.say(task.answer);
    const agent = { log, id: agentId, toolId, task, tokens: this.here.total, calls: this.results - before };
    this.here = this.main;
    return { ...agent, ms: log.clock - this.log.clock };
  }

  /** A subagent has ended, and its answer begins a turn. @param {Agent} agent */
  notified({ log, id, toolId, task, tokens, calls, ms }) {
    this.log.clock = Math.max(this.log.clock, log.clock);
    const text = [
      "<task-notification>",
      `<task-id>${id}</task-id>`,
      `<tool-use-id>${toolId}</tool-use-id>`,
      `<output-file>${this.tools.outputOf(id)}</output-file>`,
      "<status>completed</status>",
      `<summary>Agent "${task.description}" finished</summary>`,
      `<result>${task.answer}</result>`,
      `<usage><subagent_tokens>${tokens}</subagent_tokens><tool_uses>${calls}</tool_uses><duration_ms>${ms}</duration_ms></usage>`,
      "</task-notification>",
    ].join("\n");
    const at = { timestamp: this.log.stamp(), sessionId: SESSION_ID };
    this.log.push({ type: "queue-operation", operation: "enqueue", ...at, content: text });
    this.log.push({ type: "queue-operation", operation: "dequeue", ...at });
    this.turn = { ...this.turn, start: this.log.clock, origin: "task_notification" };
    const origin = { kind: "task-notification", producer: "session-task" };
    this.said(text, { origin, promptSource: "system", queueSkipAttachments: true });
  }

  /**
   * The user types /compact: a summary, the last answer unchanged, and files that the model gets again.
   * @param {string} summary @param {string[]} files
   */
  compact(summary, files) {
    const { log, main } = this;
    log.wait(74_000);
    const preTokens = main.total;
    const anchorUuid = log.uuid();
    main.promptId = uuidOf(`prompt ${++log.counts.prompt}`);
    main.total = main.base + tokensOf(summary.length, anchorUuid) + this.answer.tokens;
    Object.assign(main, { cached: SHARED, sent: 0, request: "" });
    const { uuids } = this.answer;
    const compactMetadata = {
      trigger: "manual",
      preTokens,
      postTokens: main.total,
      cumulativeDroppedTokens: preTokens - main.total,
      durationMs: 71_806,
      preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
      preservedMessages: { anchorUuid, uuids, allUuids: uuids },
    };
    log.slug = { slug: "quiet-simmering-kettle" };
    const what = { type: "system", subtype: "compact_boundary", content: "Conversation compacted", level: "info" };
    this.line({ before: { logicalParentUuid: main.parent, ...what, compactMetadata } }, 0, { parent: null });
    const marks = { isVisibleInTranscriptOnly: true, isCompactSummary: true };
    this.told(summary, marks, { turnPosition: { ...this.position } }, 0, anchorUuid);
    this.told("<local-command-caveat>The command below was run by the user.</local-command-caveat>", { isMeta: true });
    this.told(
      "<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>",
    );
    this.told("<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>");
    for (const path of files) {
      const { content, meta, input } = this.tools.read(path);
      const framing = { displayPath: path, savedCopyFraming: { enveloped: false } };
      const called = `Called the Read tool with the following input: ${JSON.stringify(input)}`;
      const shown = { type: "file", filename: `${ROOT}/${path}`, content: meta, ...framing };
      this.attach(shown, "user", called, `Result of calling the Read tool:\n${content}`);
    }
  }

  /** A user line that is not a prompt. @param {string} text @param {object} [marks] @param {object} [more] @param {number} [tokens] @param {string} [uuid] */
  told(text, marks = {}, more = {}, tokens = tokensOf(text.length, text), uuid = this.log.uuid()) {
    const message = { role: "user", content: text };
    const before = { promptId: this.main.promptId, type: "user", message, ...marks };
    this.line({ before, after: { ...more, ...sessionOf(this.main) } }, tokens, { uuid });
  }
}
