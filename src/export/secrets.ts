/**
 * Exports without names: anything in a log about people, projects and systems becomes a keyed hash. Equal values have
 * equal hashes, so tables still join; without the key, nobody can find a name by trial and error.
 */
import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../files/folders.js";
import { makeFolder } from "../files/makeFolder.js";
import { problemOf, readSmallFile } from "../files/openFile.js";
import { createWhole } from "../files/wholeFile.js";
import { plainName } from "../inspect/models.js";
import { isMcp } from "../log/tools.js";
import type { Cell } from "./tables.js";

type Hide = (value: string, hash: (value: string) => string) => string;

const always: Hide = (value, hash) => hash(value);
const unless =
  (isCommon: (value: string) => boolean): Hide =>
  (value, hash) =>
    isCommon(value) ? value : hash(value);

/** Claude Code's own tools, present and past. Others are the user's own, with names that may reveal anything. */
const TOOLS: ReadonlySet<string> = new Set(
  `Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillBash KillShell LS LSP
   ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead PowerShell Read ReadMcpResourceTool Skill
   SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite
   ToolSearch WebFetch WebSearch Write`.split(/\s+/),
);
const CONTEXTS: ReadonlySet<string> = new Set(["main", "sidechain"]);
const PUBLIC_MODEL = /^claude(?:-(?:\d{1,8}|fable|haiku|instant|latest|mythos|opus|sonnet))+$/;

/** How to hide each column, in any table. The others only contain this program's own words, or numbers. */
const SECRETS: Readonly<Record<string, Hide>> = {
  file: always,
  session_id: always,
  project: always,
  title: always,
  path: always,
  call_id: always,
  ref_call_id: always,
  cause_call_id: always,
  evicted_call_id: always,
  source_call_id: always,
  context: unless(id => CONTEXTS.has(id)),
  tool: (name, hash) => (TOOLS.has(name) ? name : isMcp(name) ? `mcp__${hash(name)}` : hash(name)),
  // An account's custom models are named after it.
  model: (name, hash) => (PUBLIC_MODEL.test(plainName(name)) ? plainName(name) : hash(name)),
  version: unless(version => /^\d{1,3}(?:\.\d{1,4}){2}$/.test(version)),
};

/** Hides the values of an export. */
export class Secrets {
  readonly #key: Buffer;
  /** By what is hashed: most values recur. */
  #known = new Map<string, string>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  cell(column: string, value: Cell): Cell {
    const hide = SECRETS[column];
    return hide === undefined || typeof value !== "string" ? value : hide(value, one => this.#hash(one));
  }

  #hash(value: string): string {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const hash = createHmac("sha256", this.#key).update(value).digest("hex").slice(0, 32);
    if (this.#known.size >= MAX_KNOWN) this.#known = new Map();
    this.#known.set(value, hash);
    return hash;
  }
}

const MAX_KNOWN = 50_000;

/** Shorter keys could be found by trial and error. */
const MIN_KEY_BYTES = 16;
const MAX_KEY_BYTES = 4096;

/** The key in a file, without the line ending. */
export function readKey(file: string): Buffer {
  let text: string;
  try {
    text = readSmallFile(file, { maxBytes: MAX_KEY_BYTES }).toString("latin1");
  } catch (error) {
    throw new Error(`${problemOf(error)}: ${file}`);
  }
  const key = Buffer.from(text.replace(/\r?\n$/, ""), "latin1");
  if (key.length < MIN_KEY_BYTES) throw new Error(`a key must have at least ${MIN_KEY_BYTES} bytes: ${file}`);
  return key;
}

/** The user's own key, created the first time. If another export creates one at the same time, the first one counts. */
export async function keyOfUser(): Promise<Buffer> {
  const file = join(dataFolder(), "export.key");
  if (!existsSync(file)) {
    makeFolder(dataFolder());
    await createWhole(file, Buffer.from(`${randomBytes(32).toString("hex")}\n`));
  }
  return readKey(file);
}
