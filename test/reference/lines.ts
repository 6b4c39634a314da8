/** What a line says (docs/rules.md "Contexts and lines"), for the naive reference replay. */
import { createHash } from "node:crypto";
import { posix } from "node:path";

export type Json = Record<string, unknown>;
export type Kind = "read" | "mutate" | "other";

/** A tool call as a line has it. */
export interface Use {
  name: string;
  input: unknown;
  cwd: unknown;
}

export function contextIdOf(json: Json): string {
  const { type, isSidechain, agentId } = json;
  // Such a line names its subagent but is never marked as a sidechain.
  if (type === "content-replacement" && typeof agentId === "string") return agentId;
  if (isSidechain !== true) return "main";
  return typeof agentId === "string" ? agentId : "sidechain";
}

export function bodyOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map(block => (field(block, "type") === "text" ? field(block, "text") : undefined));
  return texts.every(text => typeof text === "string") ? texts.join("\n") : undefined;
}

export function kindOf(tool: string): Kind {
  if (["Read", "Grep", "Glob", "NotebookRead"].includes(tool)) return "read";
  if (["Edit", "Write", "MultiEdit", "NotebookEdit"].includes(tool)) return "mutate";
  return "other";
}

export function pathOf(call: Use): string | undefined {
  const given = firstString(["file_path", "path", "notebook_path"].map(key => field(call.input, key)));
  if (given === undefined) return undefined;
  const absolute = /^(\/|\\\\|[A-Za-z]:)/.test(given);
  const joined = absolute || typeof call.cwd !== "string" ? given : `${call.cwd}/${given}`;
  const slashed = /^(\\\\|[A-Za-z]:)/.test(joined) ? joined.replaceAll("\\", "/") : joined;
  const drive = /^[A-Za-z]:/.exec(slashed)?.[0] ?? "";
  return drive + posix.normalize(slashed.slice(drive.length));
}

export function fingerprintOf(body: string): string {
  return createHash("sha256").update(body, "utf8").digest().subarray(0, 16).toString("hex");
}

export function matches(pattern: string, tool: string): boolean {
  const parts = pattern.split("*").map(part => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(tool);
}

// ---- JSON of unknown shape ----

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, or undefined if a step is not an object with that own key. */
export function field(value: unknown, ...keys: string[]): unknown {
  return keys.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

export function list(value: unknown, ...keys: string[]): unknown[] {
  const found = field(value, ...keys);
  return Array.isArray(found) ? found : [];
}

export function firstString(values: unknown[]): string | undefined {
  return values.find(value => typeof value === "string");
}

/** A log may contain anything: what cannot be a number of tokens counts as 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < 1e15 ? value : 0;
}

/** In UTC. A time of an unknown zone, and anything else, is as good as no timestamp. */
export function timeOf(timestamp: unknown): string | null {
  if (typeof timestamp !== "string") return null;
  const [date = "", clock = "", ...more] = timestamp.split("T");
  const isDate = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date);
  const isClock = /^[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[-+][0-9]{2}:[0-9]{2})$/.test(clock);
  // Null if it does not exist.
  const time = isDate && isClock && more.length === 0 ? (new Date(timestamp).toJSON() as string | null) : null;
  return time === null || time.startsWith("+") || time.startsWith("-") ? null : time;
}
