import { type FileUse, GATES, type Gate } from "./gates.js";

/** The results of one gate, tool or file. Tokens are estimates. */
export interface GateFigures {
  results: number;
  bytes: number;
  tokens: number;
}

/** Results by gate; gates without any are omitted. */
export type GateCounts = Partial<Record<Gate, number>>;

export interface ToolGates extends GateFigures {
  readonly tool: string;
  readonly gates: GateCounts;
}

export interface FileGates extends GateFigures {
  readonly path: string;
  /** Reads that returned text, those of a file read before in the same context, and those of lines read before. */
  reads: number;
  rereads: number;
  overlapping: number;
  /** Tokens of those overlapping reads. */
  overlappingTokens: number;
  /** Reads still in the context when the file changed, and their tokens. */
  stale: number;
  staleTokens: number;
  readonly gates: GateCounts;
}

/** One large result and its place. */
export interface LargeResult {
  /** For views of a single context. */
  readonly row?: number;
  readonly file: string;
  readonly context: string;
  readonly line: number;
  readonly tool: string;
  readonly path: string | null;
  readonly bytes: number;
  readonly tokens: number;
  readonly gate: Gate;
}

/** Why nothing hit, and where the tokens went. The lists hold only the first few, the sums everything. */
export interface GatesReport {
  readonly gates: readonly ({ readonly gate: Gate } & GateFigures)[];
  readonly tools: readonly ToolGates[];
  readonly largest: readonly LargeResult[];
  /** By tokens, re-reads, overlapping reads and stale reads. */
  readonly files: readonly FileGates[];
  readonly reread: readonly FileGates[];
  readonly overlapping: readonly FileGates[];
  readonly stale: readonly FileGates[];
}

/** One result with its gate. */
export interface GatedResult {
  readonly row?: number;
  readonly file: string;
  readonly context: string;
  readonly line: number;
  readonly tool: string;
  readonly path: string | undefined;
  readonly bytes: number;
  readonly tokens: number;
}

export const LONGEST_LIST = 20;

/** Sums gates by tool and file. */
export class GateSums {
  readonly #gates = new Map<Gate, GateFigures>(GATES.map(gate => [gate, { results: 0, bytes: 0, tokens: 0 }]));
  readonly #tools = new Map<string, ToolGates>();
  readonly #files = new Map<string, FileGates>();
  #largest: LargeResult[] = [];
  /** Smaller results can no longer be among the largest. */
  #smallestListed = 0;

  add(result: GatedResult, gate: Gate, use: FileUse): void {
    const { tool, path, bytes, tokens } = result;
    addTo(this.#gates.get(gate), bytes, tokens);
    const ofTool = this.#ofTool(tool);
    addTo(ofTool, bytes, tokens);
    count(ofTool.gates, gate);
    if (tokens >= this.#smallestListed) this.#keepLargest({ ...result, path: path ?? null, gate });
    if (path === undefined) return;
    const ofFile = this.#ofFile(path);
    addTo(ofFile, bytes, tokens);
    count(ofFile.gates, gate);
    if (use.read) ofFile.reads++;
    if (use.reread) ofFile.rereads++;
    if (!use.overlapping) return;
    ofFile.overlapping++;
    ofFile.overlappingTokens += tokens;
  }

  /** A file was changed while the model still had what it had read from it. */
  addStale(path: string, tokens: number): void {
    const ofFile = this.#ofFile(path);
    ofFile.stale++;
    ofFile.staleTokens += tokens;
  }

  report(): GatesReport {
    this.#sortLargest();
    const files = [...this.#files.values()];
    return gatesReport({
      gates: this.#gates,
      tools: [...this.#tools.values()],
      largest: this.#largest,
      files: () => files,
    });
  }

  #ofTool(tool: string): ToolGates {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const none = { tool, results: 0, bytes: 0, tokens: 0, gates: {} };
    this.#tools.set(tool, none);
    return none;
  }

  #ofFile(path: string): FileGates {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const sums = { reads: 0, rereads: 0, overlapping: 0, overlappingTokens: 0, stale: 0, staleTokens: 0 };
    const none = { path, results: 0, bytes: 0, tokens: 0, ...sums, gates: {} };
    this.#files.set(path, none);
    return none;
  }

  /** Sorted only now and then: there are hundreds of thousands of results. */
  #keepLargest(result: LargeResult): void {
    this.#largest.push(result);
    if (this.#largest.length >= 2 * LONGEST_LIST) this.#sortLargest();
  }

  #sortLargest(): void {
    this.#largest = largestResults(this.#largest);
    this.#smallestListed = this.#largest[LONGEST_LIST - 1]?.tokens ?? 0;
  }
}

/** The sort order of a list of files. */
export type FileOrder = "tokens" | "rereads" | "overlappingTokens" | "staleTokens";

/** Everything found, in any order. */
export interface GatesFound {
  readonly gates: ReadonlyMap<Gate, GateFigures>;
  readonly tools: readonly ToolGates[];
  /** Includes at least the largest results. */
  readonly largest: readonly LargeResult[];
  /** At least the first files of the list in that order. */
  readonly files: (by: FileOrder) => readonly FileGates[];
}

export function gatesReport({ gates, tools, largest, files }: GatesFound): GatesReport {
  const top = (by: FileOrder) =>
    largestBy(
      files(by),
      file => file[by],
      ({ path }) => path,
    )
      .slice(0, LONGEST_LIST)
      .map(file => rounded(file, "tokens", "overlappingTokens", "staleTokens"));
  return {
    gates: GATES.flatMap(gate => {
      const figures = gates.get(gate);
      return figures === undefined || figures.results === 0 ? [] : [{ gate, ...rounded(figures, "tokens") }];
    }),
    tools: largestBy(
      tools,
      one => one.tokens,
      one => one.tool,
    )
      .slice(0, LONGEST_LIST)
      .map(one => rounded(one, "tokens")),
    largest: largestResults(largest).map(one => rounded(one, "tokens")),
    files: top("tokens"),
    reread: top("rereads"),
    overlapping: top("overlappingTokens"),
    stale: top("staleTokens"),
  };
}

function largestResults(results: readonly LargeResult[]): LargeResult[] {
  return largestBy(
    results,
    one => one.tokens,
    one => `${one.file} ${one.context} ${String(one.line).padStart(9, "0")}`,
  ).slice(0, LONGEST_LIST);
}

function addTo(to: GateFigures | undefined, bytes: number, tokens: number): void {
  if (to === undefined) return;
  to.results++;
  to.bytes += bytes;
  to.tokens += tokens;
}

function count(counts: GateCounts, gate: Gate): void {
  counts[gate] = (counts[gate] ?? 0) + 1;
}

/** Those above 0, largest first; ties by name, so that the order never depends on how logs were read. */
function largestBy<T>(all: readonly T[], by: (one: T) => number, name: (one: T) => string): T[] {
  return all
    .filter(one => by(one) > 0)
    .sort((left, right) => by(right) - by(left) || (name(left) < name(right) ? -1 : 1));
}

function rounded<T extends object, Name extends keyof T>(figures: T, ...names: Name[]): T {
  const copy = { ...figures };
  for (const name of names) copy[name] = Math.round(copy[name] as number) as T[Name];
  return copy;
}
