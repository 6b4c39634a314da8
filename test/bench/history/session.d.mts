import type { Chance } from "./text.mjs";

export interface SessionAbout {
  readonly sessionId: string;
  readonly cwd: string;
  readonly agent?: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

export class Session {
  constructor(chance: Chance, about: SessionAbout);
  /** The lines of one turn, from the prompt to its answer. */
  turn(): string[];
}
