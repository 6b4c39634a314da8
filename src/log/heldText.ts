/**
 * Texts that the log's reader holds in its own memory: they become strings only on demand. Like the line's bytes, they
 * are only valid until the next line is read.
 */

/** A text in a log. */
export type LogText = string | HeldText;

export abstract class HeldText {
  /** In UTF-16 characters. */
  abstract readonly length: number;
  abstract readonly utf8Length: number;
  abstract utf8(): Uint8Array;
  /** `part`: ASCII. */
  abstract includes(part: string): boolean;
  abstract toString(): string;
  /** Undefined if the text has to be cut as a string. */
  abstract cut(): CutText | undefined;
}

/** What is known about a text that was cut into lines. */
export interface CutText {
  /** Numbers about each line: see `LineTable`. */
  readonly lines: Uint32Array<ArrayBuffer>;
  /** False if no line can be one of these; otherwise the string must be searched. */
  readonly mayHoldDiff: boolean;
  readonly mayHoldMatches: boolean;
}

/** A tool's response, created on demand. */
export abstract class HeldResponse {
  /** Claude Code reports that the file has not changed. */
  abstract readonly isUnchanged: boolean;
  abstract readonly value: unknown;
}

/** A tool's response, held or not. */
export function responseOf(response: unknown): unknown {
  return response instanceof HeldResponse ? response.value : response;
}
