/** All ways to read a line must give the same facts: JSON.parse, the scanner, and the WebAssembly reader. */
import assert from "node:assert/strict";
import { serialize } from "node:v8";
import { digest, type ReplayFact } from "../../src/dedup/digest.js";
import { fingerprint } from "../../src/dedup/fingerprint.js";
import { LineScanner } from "../../src/dedup/runs/lines.js";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { packFacts } from "../../src/kernel/factPacker.js";
import { arePacked, unpackFacts } from "../../src/kernel/packedFacts.js";
import { asBytes, type Bytes } from "../../src/log/bytes.js";
import { type LineParser, PLAIN_PARSER } from "../../src/log/lineParser.js";
import { LogReader, type ReaderOptions, type SavedReader } from "../../src/log/logReader.js";
import { agentOfFile } from "../../src/log/sessionFiles.js";
import { FiguresPipeline } from "../../src/pipeline/figuresPipeline.js";
import { Scanner } from "../../src/scanner/scanner.js";
import { Chance } from "../support/liveLog.js";

const scanner = new Scanner();
const lineScanner = new LineScanner();

interface Read {
  readonly facts: readonly unknown[];
  readonly state: SavedReader;
}

/** Everything known about a log after reading it: all texts, their lines and fingerprints, and the reader's state. */
function factsOf(path: string, pieces: readonly Buffer[], options: ReaderOptions): Read {
  const facts: unknown[] = [];
  const reader = new LogReader(
    (context, fact) => {
      const strings = fact.fact === "call" ? fact.strings.map(([key, text]) => [key, text.toString()]) : undefined;
      facts.push([context.id, strings, digest(fact, true, fingerprint, lineScanner)]);
    },
    { agentOfFile: agentOfFile(path), withCalls: true, ...options },
  );
  for (const piece of pieces) reader.push(piece);
  return { facts, state: reader.state };
}

/** Throws if the scanner reads any line differently from JSON.parse. */
export function checkScanner(path: string, log: Buffer, chance = new Chance(log.length)): void {
  // Lines over the limit are detected, but not read.
  const limit = chance.is(0.2) ? { maxLineBytes: 100 + chance.below(2000) } : {};
  const parsed = factsOf(path, [log], limit);
  checkEqual(factsOf(path, cut(log, chance), { ...limit, parser: scanner }), parsed);
  // Each can continue from the other's state after a part of the log.
  const part = log.subarray(0, chance.below(log.length + 1));
  const [first, second] = chance.pick([
    [scanner, PLAIN_PARSER],
    [PLAIN_PARSER, scanner],
  ] as const);
  const before = factsOf(path, cut(part, chance), { ...limit, parser: first });
  const rest = cut(log.subarray(before.state.offset), chance);
  const after = factsOf(path, rest, { ...limit, parser: second, resume: structuredClone(before.state) });
  checkEqual([...before.facts, ...after.facts], parsed.facts);
  checkReader(path, cut(log, chance));
}

/** Throws if the WebAssembly reader's facts or state differ from the JavaScript reader's. */
export function checkReader(path: string, pieces: readonly Buffer[]): void {
  const facts: (readonly [string, ReplayFact])[] = [];
  const reader = new LogReader(({ id }, fact) => facts.push([id, digest(fact, false, fingerprint, lineScanner)]), {
    agentOfFile: agentOfFile(path),
    withCalls: true,
  });
  for (const piece of pieces) reader.push(piece);
  const settings = { ...DEFAULT_SETTINGS, minBytes: 0 };
  const options = { settings, keepEvents: false, keepDetails: false, keepFacts: true };
  const log = new FiguresPipeline(path, options);
  for (const [at, piece] of pieces.entries()) log.push(at % 2 === 0 ? asBytes(piece) : inRoom(log, piece));
  const saved = log.save();
  assert(saved !== undefined && arePacked(saved.facts));
  checkEqual([...unpackFacts(saved.facts)], [...unpackFacts(packFacts(facts))]);
  checkEqual(comparable(saved.reader), comparable(reader.state));
}

/** The piece where the pipeline wants it, if it has room for it: as if it had been read from a file to there. */
function inRoom({ room }: FiguresPipeline, piece: Buffer): Bytes {
  if (room === undefined || room.length < piece.length) return asBytes(piece);
  room.set(piece);
  return room.subarray(0, piece.length);
}

/** The entries of an index may be in any order. */
function comparable(state: SavedReader): SavedReader {
  const contexts = state.contexts.map(context => {
    const entries = Array.from({ length: context.links.index.length / 4 }, (_, at) =>
      context.links.index.slice(4 * at, 4 * at + 4),
    );
    entries.sort((one, other) => (one[2] ?? 0) - (other[2] ?? 0));
    return { ...context, links: { ...context.links, index: Uint32Array.from(entries.flatMap(entry => [...entry])) } };
  });
  return { ...state, contexts };
}

function checkEqual(scanned: unknown, parsed: unknown): void {
  // A string may have two representations in memory, so only equal bytes are conclusive.
  if (!serialize(scanned).equals(serialize(parsed))) assert.deepStrictEqual(scanned, parsed);
}

/** Pieces that begin and end anywhere, so that some lines come from more than one of them. */
function cut(log: Buffer, chance: Chance): Buffer[] {
  const cuts = Array.from({ length: 1 + chance.below(6) }, () => chance.below(log.length + 1));
  const ends = [...cuts, log.length].sort((a, b) => a - b);
  return ends.map((end, at) => log.subarray(ends[at - 1] ?? 0, end));
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
  factsOf("s.jsonl", [log], { parser: new Scanner(counting) });
  return lines;
}
