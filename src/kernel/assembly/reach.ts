/** What the answer to a call may refer to: src/dedup/reach.ts. */
import { MISS_AFTER_EDIT, MISS_PARALLEL, MISS_REWOUND, MUTATE_TOOL } from "../layout";
import { Chain } from "./chain";
import { isShell } from "./names";
import { Entry, Result } from "./result";
import { Source } from "./runIndex";

/** No objection: the outcomes of results that have one are never this. */
export const FREE: i32 = 0;

export class Reach {
  chain: Chain = new Chain();
  /** The number of results so far: the order of the current one. */
  order: i32 = 0;
  /** The order of the newest edit among the results; -1 before the first. */
  lastEdit: i32 = -1;
  /** The first line of the newest request: results after it answer the same message. */
  messageLine: i32 = 0;
  /** The line of the last compaction. */
  boundaryLine: i32 = 0;

  /** The current result has been decided on. */
  endResult(result: Result): void {
    if (result.kind === MUTATE_TOOL && !result.error) this.lastEdit = this.order;
    this.order++;
  }

  /** Why a result may not be replaced by a hint to a cached one. */
  objection(entry: Entry, fresh: Entry): i32 {
    if (entry.line > this.messageLine && this.messageLine > 0) return MISS_PARALLEL;
    if (this.isFromBefore(entry.line, entry.callLine)) return MISS_REWOUND;
    if (!this.chain.leads(fresh.callLine, entry.callLine)) return MISS_REWOUND;
    return this.isOutdated(entry.tool, entry.order, fresh.tool) ? MISS_AFTER_EDIT : FREE;
  }

  /** Whether runs of lines may refer to a text. */
  mayQuote(source: Source, call: Result): bool {
    const isInput = source.input >= 0;
    const isOfThisMessage = isInput ? source.logLine >= this.messageLine : source.logLine > this.messageLine;
    if (isOfThisMessage || this.isFromBefore(source.logLine, source.callLine)) return false;
    if (!this.chain.leads(call.callLine, source.callLine)) return false;
    return isInput || !this.isOutdated(source.tool, source.order, call.tool);
  }

  /** Whether a line after the compaction belongs to a call before it: it was written late, or again. */
  isFromBefore(line: i32, callLine: i32): bool {
    return line > this.boundaryLine && callLine <= this.boundaryLine;
  }

  /** A command that is repeated after an edit is run to see what changed: its output is shown in full. */
  isOutdated(earlier: i32, order: i32, tool: i32): bool {
    return order < this.lastEdit && isShell(tool) && isShell(earlier);
  }
}
