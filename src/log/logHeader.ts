import type { LogLine } from "./logLine.js";

/** What a log says about itself, and how much of it could not be read. */
export interface LogHeader {
  sessionId: string | undefined;
  project: string | undefined;
  /** The newest title, or the first prompt. */
  title: string | undefined;
  /** Whether somebody gave that title. */
  isTitled: boolean;
  firstAt: string | undefined;
  lastAt: string | undefined;
  readonly models: Set<string>;
  readonly versions: Set<string>;
  /** What each subagent was started for, by its id. */
  readonly agents: Map<string, string>;
  /** What the user asked for in the main conversation, and how often the answer was interrupted. */
  prompts: number;
  interruptions: number;
  /** All lines that could not be read, for any reason. */
  badLines: number;
  overlongLines: number;
  /** Lines on which this program failed, and the first failure's message. */
  failedLines: number;
  failure: string | undefined;
  /** Not bad, but beyond the limits for one log: see `MAX_CONTEXTS` and `MAX_COMPACTIONS`. */
  leftOutLines: number;
}

/**
 * Limits for one log. Each context and each partition has its own figures: a log that does nothing but start new ones
 * would otherwise take a hundred times its size in memory. Genuine logs have a few dozen.
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

/** A copy that can be changed. */
export function headerFrom(other: LogHeader = EMPTY): LogHeader {
  return {
    ...other,
    models: new Set(other.models),
    versions: new Set(other.versions),
    agents: new Map(other.agents),
  };
}

/** What a subagent was started for; what was said first counts. */
export function nameAgent(header: LogHeader, agent: string, task: string, maxAgents = MAX_CONTEXTS): void {
  if (task === "" || header.agents.has(agent)) return;
  if (header.agents.size < maxAgents) header.agents.set(agent, task);
}

/** How the line begins that stands where an answer was interrupted. */
const INTERRUPTION = "[Request interrupted by user";

/** `line`: of the main conversation, with no results. */
export function countPrompt({ isMeta, isCompactSummary, source }: LogLine, header: LogHeader): void {
  if (isMeta || isCompactSummary) return;
  const text = source.prompt();
  if (text?.startsWith(INTERRUPTION)) header.interruptions++;
  // Echoed commands, their output and notifications are wrapped in tags; a prompt with an image is not only text.
  else if (text !== "" && !text?.startsWith("<")) header.prompts++;
}
