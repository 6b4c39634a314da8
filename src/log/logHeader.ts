/** What a file says about itself, and what could not be taken in of it. */
export interface LogHeader {
  sessionId: string | undefined;
  project: string | undefined;
  /** The newest title, else the first prompt. */
  title: string | undefined;
  firstAt: string | undefined;
  lastAt: string | undefined;
  readonly models: Set<string>;
  readonly versions: Set<string>;
  /** All lines that could not be read, for whatever reason. */
  badLines: number;
  overlongLines: number;
  /** Those that a fault of this program kept from being taken in, and what it said of the first. */
  failedLines: number;
  failure: string | undefined;
  /** Not bad in themselves, but beyond what is told apart in one log: see `MAX_CONTEXTS` and `MAX_COMPACTIONS`. */
  leftOutLines: number;
}

/**
 * What is told apart in one log. Each context and each partition has figures of its own: a log made of nothing but their
 * beginnings would otherwise take a hundred times its size in memory. Genuine logs have a few dozen of them.
 */
export const MAX_CONTEXTS = 4096;
export const MAX_COMPACTIONS = 10_000;

const EMPTY: LogHeader = {
  sessionId: undefined,
  project: undefined,
  title: undefined,
  firstAt: undefined,
  lastAt: undefined,
  models: new Set(),
  versions: new Set(),
  badLines: 0,
  overlongLines: 0,
  failedLines: 0,
  failure: undefined,
  leftOutLines: 0,
};

/** A header of its own, with what another one says. */
export function headerFrom(other: LogHeader = EMPTY): LogHeader {
  return { ...other, models: new Set(other.models), versions: new Set(other.versions) };
}
