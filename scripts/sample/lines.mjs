// One log file: ids, clock, parent chain and usage, in the shapes of Claude Code 2.1.325. Everything is derived from
// counters, so two runs give the same bytes. Records that contain nothing but Claude Code's own prompts are left out.

import { createHash } from "node:crypto";
import { ROOT } from "./project.mjs";

const ALNUM = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
const VERSION = "2.1.325";
/** True characters per token of this session. */
const RATIO = 2.9;
/** The part of the system prompt and tools that is cached before the session starts. */
export const SHARED = 14_212;

/** @param {string} seed */
const digest = seed => createHash("sha256").update(`ladle ${seed}`).digest();

/** A number from -1 to 1. @param {string} seed */
export const wobble = seed => digest(seed).readUInt32BE(0) / 0x7fffffff - 1;

/** @param {string} seed @param {number} length */
export function letters(seed, length) {
  return [...digest(seed)].slice(0, length).reduce((text, byte) => text + ALNUM[byte % ALNUM.length], "");
}

/** @param {string} seed @param {number} length */
export const hexOf = (seed, length) => digest(seed).toString("hex").slice(0, length);

/** The shape of a version 4 uuid. @param {string} seed */
export function uuidOf(seed) {
  const hex = hexOf(seed, 32);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @param {number} chars @param {string} seed */
export function tokensOf(chars, seed) {
  return Math.max(1, Math.round(chars / (RATIO * (1 + 0.05 * wobble(`ratio ${seed}`)))));
}

export const SESSION_ID = uuidOf("session");

/**
 * One model instance: its log, its place in the chain and the size of its context.
 * @typedef {{ log: Log, agentId: string | null, agentType: string, model: string, ttl: "1h" | "5m",
 *   parent: string | null, total: number, cached: number, base: number, promptId: string, request: string,
 *   messages: number, sent: number }} Context
 */

/** @param {Log} log @param {{ agentId: string, agentType: string } | null} agent @param {string} model @param {number} base @returns {Context} */
export function context(log, agent, model, base) {
  const { agentId, agentType } = agent ?? { agentId: null, agentType: "" };
  const ttl = agent === null ? "1h" : "5m";
  const start = { parent: null, promptId: "", request: "", messages: 0, sent: 0 };
  return { log, agentId, agentType, model, ttl, ...start, total: base, cached: SHARED, base };
}

export class Log {
  /** @param {string} name distinguishes its ids from the session's other logs @param {number} clock @param {string} branch */
  constructor(name, clock, branch) {
    /** @type {string[]} */
    this.lines = [];
    this.name = name;
    this.clock = clock;
    this.branch = branch;
    this.lastMessage = "";
    this.counts = { uuid: 0, tool: 0, message: 0, prompt: 0 };
    /** Claude Code's own slug for the session, from the first compaction on. @type {{ slug?: string }} */
    this.slug = {};
  }

  /** @param {object} line */
  push(line) {
    this.lines.push(JSON.stringify(line));
  }

  /** Lets an irregular amount of time pass. @param {number} ms */
  wait(ms) {
    this.clock += Math.max(1, Math.round(ms * (1 + 0.3 * wobble(`${this.name} clock ${this.lines.length}`))));
  }

  stamp() {
    return new Date(this.clock).toISOString();
  }

  uuid() {
    return uuidOf(`${this.name} line ${++this.counts.uuid}`);
  }

  toolId() {
    return `toolu_01${letters(`${this.name} tool ${++this.counts.tool}`, 22)}`;
  }

  /**
   * Writes a line of the tree and makes it the parent of the next one.
   * @param {Context} where @param {object} fields members in the order of the real lines, without those around them
   * @param {{ uuid?: string, parent?: string | null, agentLast?: boolean }} [given]
   */
  chain(where, fields, given = {}) {
    const uuid = given.uuid ?? this.uuid();
    const stamped = { uuid, timestamp: this.stamp() };
    const { before, after } = { before: {}, after: {}, ...fields };
    this.push({
      parentUuid: given.parent === undefined ? where.parent : given.parent,
      isSidechain: where.agentId !== null,
      ...(where.agentId === null ? {} : { agentId: where.agentId }),
      ...before,
      ...stamped,
      ...after,
      userType: "external",
      entrypoint: "cli",
      cwd: ROOT,
      sessionId: SESSION_ID,
      version: VERSION,
      gitBranch: this.branch,
      ...this.slug,
    });
    where.parent = uuid;
    return uuid;
  }

  /** A bookkeeping line outside the tree. @param {string} type @param {object} fields */
  note(type, fields) {
    this.push({ type, ...fields, sessionId: SESSION_ID });
  }

  /** What is sent: the messages since the last request, by their fingerprints. @param {Context} where */
  request(where) {
    const number = this.counts.message;
    const id = uuidOf(`${this.name} request ${number}`);
    const base = where.request === "" ? {} : { base: where.request };
    const fresh = where.request === "" ? 1 : 2;
    const tail = Array.from({ length: fresh }, (_, at) => hexOf(`${this.name} sent ${number} ${at}`, 64));
    this.push({
      type: "api-request",
      sessionId: SESSION_ID,
      ...(where.agentId === null ? {} : { agentId: where.agentId }),
      id,
      timestamp: this.stamp(),
      version: VERSION,
      querySource: where.agentId === null ? "repl_main_thread" : `agent:builtin:${where.agentType}`,
      shapeHash: hexOf(`shape ${where.agentType}`, 64),
      params: { model: where.model, max_tokens: 128_000, output_config: { effort: "medium" } },
      ...base,
      keep: where.sent,
      tail,
      requestDigest: hexOf(`${this.name} digest ${number}`, 64),
    });
    where.sent += fresh;
    where.request = id;
    return id;
  }

  /**
   * One API message: a line per content block, the same usage on each.
   * @param {Context} where @param {any[]} blocks @param {"tool_use" | "end_turn"} stop @returns {string[]} uuids
   */
  message(where, blocks, stop) {
    const number = ++this.counts.message;
    const requestRef = this.request(where);
    this.wait(6_000);
    const text = blocks.map(block => block.text ?? block.thinking ?? JSON.stringify(block.input)).join("");
    const thought = blocks.filter(block => block.type === "thinking").length;
    const thinking = thought === 0 ? 0 : tokensOf(420, `thought ${number}`);
    const output = tokensOf(text.length, `output ${number}`) + 12 * blocks.length;
    const input = 2 + (number % 3);
    const created = where.total - where.cached - input;
    if (created < 0) throw new Error(`${this.name} message ${number}: more cached than there is`);
    const usage = {
      input_tokens: input,
      cache_creation_input_tokens: created,
      cache_read_input_tokens: where.cached,
      output_tokens: output + thinking,
      output_tokens_details: { thinking_tokens: thinking },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: "standard",
      cache_creation: {
        ephemeral_1h_input_tokens: where.ttl === "1h" ? created : 0,
        ephemeral_5m_input_tokens: where.ttl === "5m" ? created : 0,
      },
      inference_geo: "",
      iterations: [],
      speed: "standard",
      fallback_credit: null,
    };
    const id = `msg_01${letters(`${this.name} message ${number}`, 22)}`;
    const head = { id, type: "message", role: "assistant", model: where.model };
    this.lastMessage = id;
    const requestId = `req_01${letters(`${this.name} api ${number}`, 22)}`;
    where.messages++;
    where.cached = where.total - input;
    where.total += output;
    return blocks.map((block, apiBlockIndex) => {
      this.wait(350);
      const message = { ...head, content: [block], stop_reason: stop, usage, stop_details: null };
      const streamed = block.type === "tool_use" ? { toolInputStreamMs: 40 + (text.length % 700) } : {};
      const agent = where.agentId === null ? {} : { attributionAgent: where.agentType };
      const asked = { requestedModel: where.model, promptCacheRequested: where.ttl, ...agent, type: "assistant" };
      const before = { message, requestId, ...streamed, apiBlockIndex, requestRef, ...asked };
      const after = { effort: "medium", perTurnEffort: "medium", madeBy: "model", ...sessionOf(where) };
      return this.chain(where, { before, after });
    });
  }
}

/** Only the main log's lines name the session twice. @param {Context} where */
export function sessionOf(where) {
  return where.agentId === null ? { session_id: SESSION_ID } : {};
}
