/** Which calls of a context descend from which: src/log/chain.ts. */
import { List } from "./lists";

export class Chain {
  starts: List<i32> = new List<i32>();
  froms: List<i32> = new List<i32>();
  parents: List<i32> = new List<i32>();
  depths: List<i32> = new List<i32>();
  shortcuts: List<i32> = new List<i32>();

  constructor() {
    this.branch(0, 0);
  }

  branch(call: i32, from: i32): void {
    const known = this.runOf(call);
    const run = known >= 0 && this.starts.get(known) === call ? known : known + 1;
    // Runs start one after another, each after what it continues from, so there can be no cycles.
    if (run < this.starts.length && run !== known) return;
    if (run === this.starts.length) {
      this.starts.push(call);
      this.froms.push(0);
      this.parents.push(0);
      this.depths.push(0);
      this.shortcuts.push(0);
    }
    this.froms.set(run, from < call ? from : 0);
    for (let later = run; later < this.starts.length; later++) this.connect(later);
  }

  /** Whether the chain of parents leads from a call to `ancestor`; a call is its own ancestor. */
  leads(call: i32, ancestor: i32): bool {
    if (ancestor <= 0 || call < ancestor) return false;
    let run = this.runOf(call);
    let last = call;
    while (run >= 0 && this.starts.get(run) > ancestor) {
      const shortcut = this.shortcuts.get(run);
      if (shortcut !== run && this.starts.get(shortcut) > ancestor) {
        run = shortcut;
        continue;
      }
      last = this.froms.get(run);
      run = this.parents.get(run);
    }
    return run >= 0 && ancestor <= last;
  }

  /** Skew-binary jump pointers: a path of any length is climbed in logarithmic time. */
  connect(run: i32): void {
    const from = this.froms.get(run);
    const parent = from > 0 ? this.runOf(from) : -1;
    this.parents.set(run, parent);
    if (parent < 0) {
      this.depths.set(run, 0);
      this.shortcuts.set(run, run);
      return;
    }
    const depth = this.depths.get(parent);
    const shortcut = this.shortcuts.get(parent);
    const next = this.shortcuts.get(shortcut);
    const shortcutDepth = this.depths.get(shortcut);
    this.depths.set(run, depth + 1);
    const isEven = depth - shortcutDepth === shortcutDepth - this.depths.get(next);
    this.shortcuts.set(run, isEven ? next : parent);
  }

  /** The run that contains a line; -1 if the line comes before all runs. */
  runOf(line: i32): i32 {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts.get(middle) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
