/** How hints get into Claude Code, and what each way in can replace: see docs/rules.md, "Doors". */
import { utf8Length } from "../log/bytes.js";
import { type LogText, responseOf } from "../log/heldText.js";
import { isMcp, isShell } from "../log/tools.js";
import type { Digest } from "./digest.js";
import { type NumberedPart, numberedPart } from "./runs/numbered.js";
import type { DedupSettings } from "./settings.js";
import { shapeOf } from "./toolShapes.js";

export type Door = DedupSettings["door"];

/** The tools whose results a door can replace. */
export const REPLACEABLE: Readonly<Record<Door, readonly string[]>> = {
  mod: ["*"],
  hooks: ["Bash", "PowerShell", "Read", "Grep", "mcp__*"],
};

/** The part of a result that settings hooks can replace. */
export interface HookedPart {
  /** The lines that Claude Code numbers itself, whatever they contain; undefined if it uses the text unchanged. */
  readonly numbered?: NumberedLines | undefined;
}

/** Whatever Claude Code adds around them stays. */
export interface NumberedLines extends Pick<NumberedPart, "begin" | "end"> {
  /** The number before the first of them. */
  readonly prefix: string;
  /** The UTF-8 bytes before and after them. */
  readonly keptBytes: number;
  /** A tab follows the number, and one of the lines starts with a tab as well. */
  readonly hasTabs: boolean;
}

/** The part of a text that settings hooks can replace; undefined if none. `held`: what the tool returned, if known. */
export function hookedPart(tool: string, text: LogText, held: unknown): HookedPart | undefined {
  // Other tools' responses are often large: skip them without looking.
  if (!isHooked(tool)) return undefined;
  const response = responseOf(held);
  // A subagent's log does not always include what the tool returned.
  const isKnown = response === undefined ? isHookedAsText(tool) : shapeOf(tool, response) !== undefined;
  if (!isKnown) return undefined;
  return tool === "Read" ? ofRead(text.toString()) : AS_IT_IS;
}

const AS_IT_IS: HookedPart = {};

function isHooked(tool: string): boolean {
  return isHookedAsText(tool) || tool === "Grep";
}

/** Not Grep: the kind of list it returned must be known. */
function isHookedAsText(tool: string): boolean {
  return isShell(tool) || tool === "Read" || isMcp(tool);
}

function ofRead(text: string): HookedPart | undefined {
  const part = numberedPart(text);
  if (part === undefined) return undefined;
  const { begin, end, first } = part;
  const keptBytes = end - begin === text.length ? 0 : utf8Length(text.slice(0, begin)) + utf8Length(text.slice(end));
  return { numbered: { begin, end, prefix: text.slice(begin, begin + first), keptBytes, hasTabs: showsTabs(text) } };
}

/** Whether a text shows a file with a line that starts with a tab, and still has a tab after the numbers. */
export function showsTabs(text: string): boolean {
  return TABS.test(text);
}

const TABS = /(?:^|\n)\d{1,9}\t\t/;

/** As plain data. */
export interface SavedForms {
  readonly arrowLine: number;
  readonly tabsLine: number;
}

/**
 * What follows the line numbers of a file is not always known until Claude Code has shown it: an arrow in old versions;
 * in newer ones a tab, but in some sessions a colon for files with a line that starts with a tab. So hooks leave the
 * first file of such a form alone. The same goes for a log.
 */
export class ShownForms {
  /** The first log lines that showed them; Infinity before that. */
  #arrowLine: number;
  #tabsLine: number;

  constructor(saved: SavedForms | undefined) {
    this.#arrowLine = saved?.arrowLine || Number.POSITIVE_INFINITY;
    this.#tabsLine = saved?.tabsLine || Number.POSITIVE_INFINITY;
  }

  /** 0 means none: JSON has no Infinity. */
  get state(): SavedForms {
    const [arrowLine = 0, tabsLine = 0] = [this.#arrowLine, this.#tabsLine].map(line => (line < Infinity ? line : 0));
    return { arrowLine, tabsLine };
  }

  /** The result as hooks can replace it. `messageLine`: anything after it is not known yet while this is answered. */
  seen(result: Digest, messageLine: number): Digest {
    const { prefix = "", hasTabs = false } = result.hooked?.numbered ?? {};
    const isArrow = prefix.endsWith("→");
    const isKnown = !(isArrow && this.#arrowLine > messageLine) && !(hasTabs && this.#tabsLine > messageLine);
    if (isArrow) this.#arrowLine = Math.min(this.#arrowLine, result.line);
    if (hasTabs) this.#tabsLine = Math.min(this.#tabsLine, result.line);
    return isKnown ? result : { ...result, hooked: undefined };
  }
}
