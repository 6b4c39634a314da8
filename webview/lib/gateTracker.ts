import { GateSums, type GatesReport } from "../../src/inspect/gateFigures.js";
import { type Gate, GateKeeper } from "../../src/inspect/gates.js";
import type { LiveContext } from "../../src/protocol/apply.js";

/** The report's own gates for one conversation, updated as rows come in. */
export class GateTracker {
  #context: LiveContext | undefined;
  #charsPerToken = 0;
  #rows = 0;
  #keeper: GateKeeper | undefined;
  #sums = new GateSums();
  #gates: Gate[] = [];

  /** The gate of a row that the last update has seen. */
  gateOf(row: number): Gate | undefined {
    return this.#gates[row];
  }

  update(context: LiveContext): GatesReport {
    const { charsPerToken } = context.calibration;
    if (context !== this.#context || charsPerToken !== this.#charsPerToken || this.#keeper === undefined) {
      this.#context = context;
      this.#charsPerToken = charsPerToken;
      this.#rows = 0;
      this.#gates = [];
      this.#keeper = new GateKeeper(context.rows, context);
      this.#sums = new GateSums();
    }
    for (; this.#rows < context.rows.length; this.#rows++) this.#add(context, this.#keeper, this.#rows);
    return this.#sums.report();
  }

  #add(context: LiveContext, keeper: GateKeeper, row: number): void {
    const { rows, tools, files } = context;
    const tokensOf = (of: number) => rows.get(of, "chars") / this.#charsPerToken;
    const path = files[rows.get(row, "file") - 1];
    const { gate, use } = keeper.next(row);
    this.#gates.push(gate);
    const tool = tools[rows.get(row, "tool")] ?? "";
    const place = { row, file: "", context: "", line: rows.get(row, "line") };
    this.#sums.add({ ...place, tool, path, bytes: rows.get(row, "bytes"), tokens: tokensOf(row) }, gate, use);
    for (const stale of use.madeStale) this.#sums.addStale(path ?? "", tokensOf(stale));
  }
}
