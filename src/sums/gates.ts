import {
  type FileGates,
  type FileOrder,
  type GateCounts,
  type GateFigures,
  type GatesReport,
  gatesReport,
  type LargeResult,
  type ToolGates,
} from "../inspect/gateFigures.js";
import { GATES, type Gate } from "../inspect/gates.js";
import type { SummedContext } from "../inspect/rowSums.js";
import { ResultRows, ROW_WIDTH } from "../inspect/rows.js";
import * as Layout from "./layout.js";
import type { SumsProgram } from "./program.js";

const FILE_NUMBERS: Readonly<Record<FileOrder, number>> = {
  tokens: Layout.GATE_TOKENS,
  rereads: Layout.GATE_REREADS,
  overlappingTokens: Layout.GATE_OVERLAPPING_TOKENS,
  staleTokens: Layout.GATE_STALE_TOKENS,
};

/** What the program knows by number. */
export interface Named {
  readonly tools: readonly string[];
  readonly files: readonly string[];
  readonly contexts: readonly SummedContext[];
}

/** Reads why nothing hit from the program's sums. */
export class CompiledGates {
  readonly #program: SumsProgram;
  readonly #named: Named;

  constructor(program: SumsProgram, named: Named) {
    this.#program = program;
    this.#named = named;
  }

  report(): GatesReport {
    const gates = new Map<Gate, GateFigures>(
      GATES.map((gate, index) => [gate, this.#gateFigures(this.#entry(Layout.OF_GATES, index))]),
    );
    const tools = this.#largest(Layout.OF_GATE_TOOLS, Layout.GATE_TOKENS).map((index): ToolGates => {
      const entry = this.#entry(Layout.OF_GATE_TOOLS, index);
      return { tool: this.#named.tools[index] ?? "", ...this.#gateFigures(entry), gates: this.#gateCounts(entry) };
    });
    const files = (by: FileOrder) =>
      this.#largest(Layout.OF_GATE_FILES, FILE_NUMBERS[by]).map(index => this.#fileGates(index));
    return gatesReport({ gates, tools, largest: this.#largeResults(), files });
  }

  #fileGates(index: number): FileGates {
    const entry = this.#entry(Layout.OF_GATE_FILES, index);
    const number = (index: number) => this.#program.number(entry, index);
    return {
      path: this.#named.files[index] ?? "",
      ...this.#gateFigures(entry),
      reads: number(Layout.GATE_READS),
      rereads: number(Layout.GATE_REREADS),
      overlapping: number(Layout.GATE_OVERLAPPING),
      overlappingTokens: number(Layout.GATE_OVERLAPPING_TOKENS),
      stale: number(Layout.GATE_STALE),
      staleTokens: number(Layout.GATE_STALE_TOKENS),
      gates: this.#gateCounts(entry),
    };
  }

  #gateFigures(entry: number): GateFigures {
    const number = (index: number) => this.#program.number(entry, index);
    return {
      results: number(Layout.GATE_RESULTS),
      bytes: number(Layout.GATE_BYTES),
      tokens: number(Layout.GATE_TOKENS),
    };
  }

  /** In order of appearance. */
  #gateCounts(entry: number): GateCounts {
    const seen = this.#program.word(entry + Layout.GATE_SEEN);
    const order = new Uint8Array(this.#program.words.buffer, entry + Layout.GATE_ORDER, seen);
    const counts: GateCounts = {};
    for (const number of order) {
      const gate = GATES[number];
      if (gate !== undefined) counts[gate] = this.#program.word(entry + Layout.GATE_COUNTS, number);
    }
    return counts;
  }

  #largeResults(): LargeResult[] {
    const first = this.#program.run(exports => exports.largeResults());
    const length = this.#program.run(exports => exports.countOfLarge());
    return Array.from({ length }, (_, index) => {
      const at = first + index * Layout.LARGE_BYTES;
      const word = (offset: number) => this.#program.word(at + offset);
      const { context, mainFile } = this.#named.contexts[word(Layout.LARGE_CONTEXT)] as SummedContext;
      const row = word(Layout.LARGE_ROW);
      const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
      return {
        file: context.file ?? mainFile,
        context: context.id,
        line: rows.get(row, "line"),
        tool: context.tools[rows.get(row, "tool")] ?? "",
        path: context.files[rows.get(row, "file") - 1] ?? null,
        bytes: rows.get(row, "bytes"),
        tokens: this.#program.number(at, 0),
        gate: GATES[word(Layout.LARGE_GATE)] ?? "new",
      };
    });
  }

  #entry(which: number, index: number): number {
    return this.#program.run(exports => exports.sumsOf(which, index));
  }

  /** The numbers of those with the largest sums, and all ties. */
  #largest(which: number, by: number): number[] {
    const count = this.#program.run(exports => exports.findLargest(which, by));
    const first = this.#program.run(exports => exports.foundSums()) >>> 2;
    return [...this.#program.words.subarray(first, first + count)];
  }
}
