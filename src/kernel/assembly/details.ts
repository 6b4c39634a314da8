/** What is displayed besides figures: src/pipeline/contextRecorder.ts with details, except what would be emitted. */
import { ABSENT, BOUNDARY_MARK, CLEAR_MARK, INVALIDATE_MARK } from "../layout";
import { Cache, dropped, listed } from "./entries";
import { List } from "./lists";
import { runBytes, runIds } from "./matcher";
import { Recorder } from "./recorder";
import { Entry, Result } from "./result";

/** The place of the current fact: its line, and the name of its time. */
let line: i32 = 0;
let time: i32 = 0;

export function setPlace(newLine: i32, newTime: i32): void {
  line = newLine;
  time = newTime;
}

export class Details {
  ids: List<i32> = new List<i32>();
  targets: List<i32> = new List<i32>();
  /** The offsets of the result's line and the call's line, alternating. */
  offsets: List<f64> = new List<f64>();
  /** As `marksOf` in src/kernel/markReader.ts reads them. */
  marks: List<f64> = new List<f64>();
  /** Per result with runs: its row, the number of runs, and the row and bytes of each. */
  sources: List<u32> = new List<u32>();

  constructor(public recorder: Recorder) {}

  addRow(result: Result): void {
    this.ids.push(result.id);
    this.targets.push(result.target);
    this.offsets.push(result.offset);
    this.offsets.push(result.callOffset);
  }

  /** For the newest row: the runs found last. */
  addSources(): void {
    this.sources.push(this.recorder.count - 1);
    this.sources.push(runIds.length);
    for (let run = 0; run < runIds.length; run++) {
      this.sources.push(this.recorder.rowOf(runIds.get(run)));
      this.sources.push(runBytes.get(run));
    }
  }

  /** A changed file, or a tool, made what was dropped last stale. One mark for each: people look for one at a time. */
  invalidated(byTool: bool): void {
    for (let at = 0; at < dropped.length; at++) {
      // Invalidations by a tool, according to the settings, come after that tool's own row.
      this.begin(INVALIDATE_MARK, this.recorder.count - (byTool ? 1 : 0));
      this.marks.push(1);
      this.addRowOf(dropped.get(at));
      this.marks.push(byTool ? 1 : 0);
    }
  }

  bounded(trigger: i32, preTokens: f64, postTokens: f64, cache: Cache): void {
    this.lost(BOUNDARY_MARK);
    this.marks.push(trigger);
    this.marks.push(preTokens);
    this.marks.push(postTokens);
    cache.list();
    this.addRowsOf(listed);
  }

  cleared(by: i32): void {
    if (dropped.length === 0) return;
    this.lost(CLEAR_MARK);
    this.marks.push(by);
  }

  /** What was dropped comes first in every mark that may drop results. */
  lost(kind: i32): void {
    this.begin(kind);
    this.addRowsOf(dropped);
  }

  /** Its members follow, in the order of `MARK_MEMBERS` in src/dedup/events.ts. */
  begin(kind: i32, position: i32 = this.recorder.count): void {
    this.marks.push(kind);
    this.marks.push(position);
    this.marks.push(line);
    this.marks.push(time < 0 ? ABSENT : time);
    this.marks.push(this.recorder.partition);
  }

  addRowsOf(entries: List<usize>): void {
    this.marks.push(entries.length);
    for (let at = 0; at < entries.length; at++) this.addRowOf(entries.get(at));
  }

  addRowOf(entry: usize): void {
    const row = this.recorder.rowOf(changetype<Entry>(entry).id);
    this.marks.push(<f64>row - 1);
  }
}
