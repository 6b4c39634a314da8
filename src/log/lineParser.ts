import { type Bytes, textOf } from "./bytes.js";
import { LineRecord, type LogRecord, recordOf } from "./record.js";

/** Understands lines. */
export interface LineParser {
  /** What was in the buffers so far may have been replaced. */
  begin(): void;
  /**
   * What the line says, or as much of it as `LogReader` needs; undefined if it is not an object. Texts may be held in
   * the parser's memory: see `HeldText`.
   */
  parse(bytes: Bytes, start: number, end: number): LogRecord | undefined;
}

/** Parses every line completely. */
export const PLAIN_PARSER: LineParser = {
  begin: () => {},
  parse: (bytes, start, end) => {
    const parsed = recordOf(textOf(bytes, start, end));
    return parsed && new LineRecord(parsed);
  },
};
