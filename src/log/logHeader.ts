import type { LogLine } from "./logLine.js";

/** A log's own metadata, and how much of the log could not be read. */
export interface LogHeader {
  sessionId: string | undefined;
  project: string | undefined;
  /** The newest title, or the first prompt. */
  title: string | undefined;
  /** Whether the title was set explicitly. */
  isTitled: boolean;
  firstAt: string | undefined;
  lastAt: string | undefined;
  readonly models: Set<string>;
  readonly versions: Set<string>;
  /** What each subagent was started for, by its id. */
  readonly agents: Map<string, string>;
  /** The user's prompts in the main conversation, and how often an answer was interrupted. */
  prompts: number;
  interruptions: number;
  /** All lines that could not be read, for any reason. */
  badLines: number;
  overlongLines: number;
  /** Lines that this program failed on, and the first error message. */
  failedLines: number;
  failure: string | undefined;
  /** Valid, but beyond the limits for one log: see `MAX_CONTEXTS` and `MAX_COMPACTIONS`. */
  leftOutLines: number;
}

/**
 * Limits for one log. Each context and each partition has its own figures: a log that does nothing but start new ones
 * would otherwise take a hundred times its size in memory. Real logs have a few dozen.
 */
export const MAX_CONTEXTS = 4096;
export const MAX_COMPACTIONS = 10_000;

const EMPTY: LogHeader = {
  sessionId: undefined,
  project: undefined,
  title: undefined,
  isTitled: false,
  firstAt: undefined,
  lastAt: undefined,
  models: new Set(),
  versions: new Set(),
  agents: new Map(),
  prompts: 0,
  interruptions: 0,
  badLines: 0,
  overlongLines: 0,
  failedLines: 0,
  failure: undefined,
  leftOutLines: 0,
};

/** A mutable copy. */
export function headerFrom(other: LogHeader = EMPTY): LogHeader {
  return {
    ...other,
    models: new Set(other.models),
    versions: new Set(other.versions),
    agents: new Map(other.agents),
  };
}

/** What a subagent was started for; the first name wins. */
export function nameAgent(header: LogHeader, agent: string, task: string, maxAgents = MAX_CONTEXTS): void {
  if (task === "" || header.agents.has(agent)) return;
  if (header.agents.size < maxAgents) header.agents.set(agent, task);
}

/** The start of the line that marks an interrupted answer. */
const INTERRUPTION = "[Request interrupted by user";

/** `line`: one of the main conversation without results. */
export function countPrompt({ isMeta, isCompactSummary, source }: LogLine, header: LogHeader): void {
  if (isMeta || isCompactSummary) return;
  const text = source.prompt();
  if (text?.startsWith(INTERRUPTION)) header.interruptions++;
  // Echoed commands, their output and notifications are wrapped in tags; a prompt with an image is not only text.
  else if (text !== "" && !text?.startsWith("<")) header.prompts++;
}
