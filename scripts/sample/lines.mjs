// Line builders: ids, clock, parent chain and usage. Everything follows from counters, so two runs give the same bytes.

import { createHash } from "node:crypto";
import { ROOT } from "./project.mjs";

const ALNUM = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
const VERSION = "2.1.217";
/** True characters per token of this session. */
const RATIO = 2.9;
/** The part of the system prompt and tools that is cached before the session starts. */
const SHARED = 14_212;

/** @param {string} seed */
const digest = seed => createHash("sha256").update(`ladle ${seed}`).digest();

/** A number from -1 to 1. @param {string} seed */
export const wobble = seed => digest(seed).readUInt32BE(0) / 0x7fffffff - 1;

/** @param {string} seed @param {number} length */
export function letters(seed, length) {
  return [...digest(seed)].slice(0, length).reduce((text, byte) => text + ALNUM[byte % ALNUM.length], "");
}

/** The shape of a version 4 uuid. @param {string} seed */
export function uuidOf(seed) {
  const hex = digest(seed).toString("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @param {number} chars @param {string} seed */
export function tokensOf(chars, seed) {
  return Math.max(1, Math.round(chars / (RATIO * (1 + 0.05 * wobble(`ratio ${seed}`)))));
}

/**
 * One model instance: its place in the chain and the size of its context.
 * @typedef {{ agentId: string | null, model: string, ttl: "1h" | "5m", parent: string | null, total: number,
 *   cached: number, base: number, requests: number, promptId: string }} Context
 */

/** @param {string | null} agentId @param {string} model @param {number} base @returns {Context} */
export function context(agentId, model, base) {
  const ttl = agentId === null ? "1h" : "5m";
  return { agentId, model, ttl, parent: null, total: base, cached: SHARED, base, requests: 0, promptId: "" };
}

export class Log {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    this.clock = Date.UTC(2026, 6, 25, 8, 47, 12, 418);
    this.sessionId = uuidOf("session");
    this.branch = "main";
    this.counts = { uuid: 0, tool: 0, message: 0, prompt: 0 };
  }

  /** @param {object} line */
  push(line) {
    this.lines.push(JSON.stringify(line));
  }

  /** Lets an irregular amount of time pass. @param {number} ms */
  wait(ms) {
    this.clock += Math.max(1, Math.round(ms * (1 + 0.3 * wobble(`clock ${this.lines.length}`))));
  }

  stamp() {
    return new Date(this.clock).toISOString();
  }

  uuid() {
    return uuidOf(`line ${++this.counts.uuid}`);
  }

  toolId() {
    return `toolu_01${letters(`tool ${++this.counts.tool}`, 22)}`;
  }

  /**
   * Writes a line of the tree and makes it the parent of the next one.
   * @param {Context} where @param {object} fields @param {{ uuid?: string, parent?: string | null }} [given]
   */
  chain(where, fields, given = {}) {
    const uuid = given.uuid ?? this.uuid();
    const agent = where.agentId === null ? {} : { agentId: where.agentId };
    this.push({
      parentUuid: given.parent === undefined ? where.parent : given.parent,
      isSidechain: where.agentId !== null,
      ...agent,
      ...fields,
      uuid,
      timestamp: this.stamp(),
      userType: "external",
      entrypoint: "cli",
      cwd: ROOT,
      sessionId: this.sessionId,
      version: VERSION,
      gitBranch: this.branch,
    });
    where.parent = uuid;
    return uuid;
  }

  /** A bookkeeping line outside the tree. @param {string} type @param {object} fields */
  note(type, fields) {
    this.push({ type, ...fields, sessionId: this.sessionId });
  }

  /**
   * One API message: a line per content block, the same usage on each.
   * @param {Context} where @param {any[]} blocks @param {"tool_use" | "end_turn"} stop @returns {string[]} uuids
   */
  message(where, blocks, stop) {
    const number = ++this.counts.message;
    const text = blocks.map(block => block.text ?? block.thinking ?? JSON.stringify(block.input)).join("");
    const output = tokensOf(text.length, `output ${number}`) + 12 * blocks.length;
    const input = 2 + (number % 3);
    const created = where.total - where.cached - input;
    if (created < 0) throw new Error(`message ${number}: more cached than there is`);
    const split =
      where.ttl === "1h"
        ? { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: created }
        : { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 };
    const usage = {
      input_tokens: input,
      cache_creation_input_tokens: created,
      cache_read_input_tokens: where.cached,
      output_tokens: output,
      cache_creation: split,
      service_tier: "standard",
    };
    const head = {
      model: where.model,
      id: `msg_01${letters(`message ${number}`, 22)}`,
      type: "message",
      role: "assistant",
    };
    const requestId = `req_01${letters(`request ${number}`, 22)}`;
    where.requests++;
    where.cached = where.total - input;
    where.total += output;
    return blocks.map(block => {
      this.wait(350);
      const message = { ...head, content: [block], stop_reason: stop, stop_sequence: null, usage };
      return this.chain(where, { message, requestId, type: "assistant" });
    });
  }
}
