import { type Bytes, textOf } from "./bytes.js";
import { type LineEnds, PLAIN_ENDS } from "./lineSplitter.js";
import { type LogLine, lineOf } from "./logLine.js";
import { recordOf } from "./record.js";

/** Finds and parses lines. */
export interface LineParser extends LineEnds {
  /** The contents of the buffers may have been replaced since the last line. */
  begin(): void;
  /**
   * The parsed line; undefined if it is not an object. Valid until the next line is parsed; its texts may be held in
   * the parser's memory: see `HeldText`.
   */
  parse(bytes: Bytes, start: number, end: number): LogLine | undefined;
}

/** Parses every line completely. */
export const PLAIN_PARSER: LineParser = {
  ...PLAIN_ENDS,
  begin: () => {},
  parse: (bytes, start, end) => {
    const parsed = recordOf(textOf(bytes, start, end));
    return parsed && lineOf(parsed);
  },
};
