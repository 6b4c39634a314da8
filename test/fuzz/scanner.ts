/** Two ways to understand a line, the scanner and JSON.parse, must give the same facts. */
import assert from "node:assert/strict";
import { serialize } from "node:v8";
import { digest } from "../../src/dedup/digest.js";
import { fingerprint } from "../../src/dedup/fingerprint.js";
import { LineScanner } from "../../src/dedup/runs/lines.js";
import { type LineParser, PLAIN_PARSER } from "../../src/log/lineParser.js";
import { LogReader } from "../../src/log/logReader.js";
import { agentOfFile } from "../../src/log/sessionFiles.js";
import { Scanner } from "../../src/scanner/scanner.js";

const scanner = new Scanner();
const lineScanner = new LineScanner();

/** Everything that is known of a log after reading it: all texts, their lines and fingerprints, and the reader's state. */
export function factsOf(path: string, pieces: readonly Buffer[], parser: LineParser): unknown {
  const facts: unknown[] = [];
  const reader = new LogReader(
    (context, fact) => {
      const strings = fact.fact === "call" ? fact.strings.map(([key, text]) => [key, text.toString()]) : undefined;
      facts.push([context.id, strings, digest(fact, true, fingerprint, lineScanner)]);
    },
    { agentOfFile: agentOfFile(path), withCalls: true, parser },
  );
  for (const piece of pieces) reader.push(piece);
  return { facts, state: reader.state };
}

/** Throws if the scanner understands any line in another way than JSON.parse. */
export function checkScanner(path: string, log: Buffer): void {
  // In pieces, so that some lines come from more than one of them.
  const middle = Math.ceil(log.length / 2);
  const scanned = factsOf(path, [log.subarray(0, middle), log.subarray(middle)], scanner);
  const parsed = factsOf(path, [log], PLAIN_PARSER);
  // A string may have two forms in memory, so only equal bytes are certain.
  if (!serialize(scanned).equals(serialize(parsed))) assert.deepStrictEqual(scanned, parsed);
}

/** How many of the log's lines the scanner leaves to JSON.parse. */
export function doubtfulLines(log: Buffer): number {
  let lines = 0;
  const counting: LineParser = {
    ...PLAIN_PARSER,
    parse: (bytes, start, end) => {
      lines++;
      return PLAIN_PARSER.parse(bytes, start, end);
    },
  };
  factsOf("s.jsonl", [log], new Scanner(counting));
  return lines;
}
