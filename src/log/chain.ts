/** Each run of calls: the line of its first call, and the line of the call that this one goes on from (0: from none). */
export type SavedChain = readonly (readonly [call: number, from: number])[];

/** The run with which every chain begins. */
const TRUNK: SavedChain = [[0, 0]];

/**
 * Which calls of a context come from which (engine.md 3). Calls are known by the numbers of their lines, and nearly
 * always go on from the call before them in the file, so only the others are written down: a log that never branches is
 * one run, however long it is. Runs point at earlier ones only, and each has a shortcut towards its beginning, so that
 * a question takes a few steps even where two processes take turns.
 */
export class Chain {
  readonly #starts: number[] = [];
  readonly #froms: number[] = [];
  /** The run that a run goes on from, -1 for none; how many there are before it; and one further up, or itself. */
  readonly #parents: number[] = [];
  readonly #depths: number[] = [];
  readonly #shortcuts: number[] = [];

  constructor(saved: SavedChain = TRUNK) {
    for (const [call, from] of saved) this.branch(call, from);
  }

  get state(): SavedChain {
    return this.#starts.map((start, run) => [start, this.#froms[run] as number]);
  }

  /** As much of it as tells of the calls from this line on, and no more runs than that, the newest ones. */
  since(line: number, maxRuns: number): SavedChain {
    const first = Math.max(0, this.#runOf(line), this.#starts.length - maxRuns);
    return this.state.slice(first);
  }

  /** A call does not go on from the one before it; or where it goes on from has only now become known. */
  branch(call: number, from: number): void {
    const known = this.#runOf(call);
    const run = this.#starts[known] === call ? known : known + 1;
    // Runs begin one after another, each after what it goes on from: no chain can lead in a circle.
    if (run < this.#starts.length && run !== known) return;
    this.#starts[run] = call;
    this.#froms[run] = from < call ? from : 0;
    for (let later = run; later < this.#starts.length; later++) this.#connect(later);
  }

  /** Whether the chain of parents leads from one call to the other, or both are the same. */
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

  /** Shortcuts in the manner of skew-binary numbers: a path of any length is climbed in logarithmic time. */
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

  /** The run that holds a line, -1 where the line stands before all of them. */
  #runOf(line: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
