/** How hints get into Claude Code, and what each way in can replace: see docs/rules.md, "Doors". */
import { utf8Length } from "../log/bytes.js";
import { type LogText, responseOf } from "../log/heldText.js";
import { type NumberedPart, numberedPart } from "./runs/numbered.js";
import type { DedupSettings } from "./settings.js";
import { shapeOf } from "./shapes.js";

export type Door = DedupSettings["door"];

/** The tools whose results a door can replace. */
export const REPLACEABLE: Readonly<Record<Door, readonly string[]>> = {
  mod: ["*"],
  hooks: ["Bash", "PowerShell", "Read", "Grep", "mcp__*"],
};

/** What settings hooks can replace of a result. */
export interface HookedPart {
  /** Lines that Claude Code numbers itself, whatever they say; undefined if it takes the text as it is. */
  readonly numbered?: NumberedLines | undefined;
}

/** Around them stands what Claude Code adds on its own: that stays. */
export interface NumberedLines extends NumberedPart {
  /** The number in front of the first of them. */
  readonly prefix: string;
  /** The UTF-8 bytes before and after them. */
  readonly keptBytes: number;
}

/** What settings hooks can replace of a text; undefined for nothing. `held`: what the tool returned, if known. */
export function hookedPart(tool: string, text: LogText, held: unknown): HookedPart | undefined {
  // What other tools returned is often large, and not even looked at.
  if (!HOOKED.test(tool)) return undefined;
  const response = responseOf(held);
  // A subagent's log does not always say what the tool returned.
  const isKnown = response === undefined ? HOOKED_AS_TEXT.test(tool) : shapeOf(tool, response) !== undefined;
  if (!isKnown) return undefined;
  return tool === "Read" ? ofRead(text.toString()) : AS_IT_IS;
}

const AS_IT_IS: HookedPart = {};
const HOOKED = /^(?:Bash|PowerShell|Read|Grep|mcp__.*)$/s;
/** Of a Grep it must be known what kind of list it returned. */
const HOOKED_AS_TEXT = /^(?:Bash|PowerShell|Read|mcp__.*)$/s;

function ofRead(text: string): HookedPart | undefined {
  const part = numberedPart(text);
  if (part === undefined) return undefined;
  const { begin, end, first } = part;
  const keptBytes = end - begin === text.length ? 0 : utf8Length(text.slice(0, begin)) + utf8Length(text.slice(end));
  return { numbered: { begin, end, first, prefix: text.slice(begin, begin + first), keptBytes } };
}
