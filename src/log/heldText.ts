/**
 * Texts that the reader of a log holds in memory of its own: no string is made of them unless somebody needs one. Like
 * the bytes of the line, they are only valid until the next line is read.
 */

/** A text of a log. */
export type LogText = string | HeldText;

export abstract class HeldText {
  /** In UTF-16 characters. */
  abstract readonly length: number;
  abstract readonly utf8Length: number;
  abstract utf8(): Uint8Array;
  /** `part`: in ASCII. */
  abstract includes(part: string): boolean;
  abstract toString(): string;
  /** Undefined if the text has to be cut as a string. */
  abstract cut(): CutText | undefined;
}

/** What is known of a text that was cut into lines. */
export interface CutText {
  /** Numbers about each line: see `LineTable`. */
  readonly lines: Uint32Array<ArrayBuffer>;
  /** False if no line can be what the name says; otherwise the string must be searched. */
  readonly mayHoldDiff: boolean;
  readonly mayHoldMatches: boolean;
}

/** What a tool returned, which is made only if somebody asks for it. */
export abstract class HeldResponse {
  /** Claude Code says that the file has not changed. */
  abstract readonly isUnchanged: boolean;
  abstract readonly value: unknown;
}

/** What a tool returned, held or not. */
export function responseOf(response: unknown): unknown {
  return response instanceof HeldResponse ? response.value : response;
}
