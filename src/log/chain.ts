/** Each run of calls: the line of its first call, and the line of the call that it continues from (0: none). */
export type SavedChain = readonly (readonly [call: number, from: number])[];

/** The run that every chain starts with. */
const TRUNK: SavedChain = [[0, 0]];

/**
 * Which calls of a context descend from which: a model has only seen what the parents of its call lead to (see
 * docs/rules.md, "What ends reachability"). Calls are identified by their line numbers and nearly always continue from
 * the call before them in the file, so only the others are stored: a log that never branches is one run, however long.
 * Runs point only to earlier runs, and each has a shortcut towards its start, so that a query takes a few steps even if
 * two processes take turns.
 */
export class Chain {
  readonly #starts: number[] = [];
  readonly #froms: number[] = [];
  /** For each run: the run it continues from, or -1; how many runs precede it; and an ancestor further up, or itself. */
  readonly #parents: number[] = [];
  readonly #depths: number[] = [];
  readonly #shortcuts: number[] = [];

  constructor(saved: SavedChain = TRUNK) {
    for (const [call, from] of saved) this.branch(call, from);
  }

  get state(): SavedChain {
    return this.#starts.map((start, run) => [start, this.#froms[run] as number]);
  }

  /** The part about the calls from this line on, limited to the newest `maxRuns` runs. */
  since(line: number, maxRuns: number): SavedChain {
    const first = Math.max(0, this.#runOf(line), this.#starts.length - maxRuns);
    return this.state.slice(first);
  }

  /** A call does not continue from the call before it, or its origin has only now become known. */
  branch(call: number, from: number): void {
    const known = this.#runOf(call);
    const run = this.#starts[known] === call ? known : known + 1;
    // Runs start one after another, each after what it continues from, so there can be no cycles.
    if (run < this.#starts.length && run !== known) return;
    this.#starts[run] = call;
    this.#froms[run] = from < call ? from : 0;
    for (let later = run; later < this.#starts.length; later++) this.#connect(later);
  }

  /** Whether the chain of parents leads from a call to `ancestor`; a call is its own ancestor. */
  leads(call: number, ancestor: number): boolean {
    if (ancestor <= 0 || call < ancestor) return false;
    let run = this.#runOf(call);
    let last = call;
    while (run >= 0 && (this.#starts[run] as number) > ancestor) {
      const shortcut = this.#shortcuts[run] as number;
      if (shortcut !== run && (this.#starts[shortcut] as number) > ancestor) {
        run = shortcut;
        continue;
      }
      last = this.#froms[run] as number;
      run = this.#parents[run] as number;
    }
    return run >= 0 && ancestor <= last;
  }

  /** Skew-binary jump pointers: a path of any length is climbed in logarithmic time. */
  #connect(run: number): void {
    const from = this.#froms[run] as number;
    const parent = from > 0 ? this.#runOf(from) : -1;
    this.#parents[run] = parent;
    if (parent < 0) {
      this.#depths[run] = 0;
      this.#shortcuts[run] = run;
      return;
    }
    const depth = (at: number) => this.#depths[at] as number;
    const shortcut = this.#shortcuts[parent] as number;
    const next = this.#shortcuts[shortcut] as number;
    this.#depths[run] = depth(parent) + 1;
    this.#shortcuts[run] = depth(parent) - depth(shortcut) === depth(shortcut) - depth(next) ? next : parent;
  }

  /** The run that contains a line; -1 if the line comes before all runs. */
  #runOf(line: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
