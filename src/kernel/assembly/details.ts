/** What is displayed besides figures: src/pipeline/contextRecorder.ts with details, except what would be emitted. */
import {
  ABSENT,
  MARK_BOUNDARY,
  MARK_CLEAR,
  MARK_DROP,
  MARK_FALLBACK,
  MARK_INVALIDATE,
  MARK_INVALIDATE_BY_TOOL,
} from "../layout";
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
      if (byTool) this.begin(MARK_INVALIDATE_BY_TOOL, this.recorder.count - 1);
      else this.begin(MARK_INVALIDATE, this.recorder.count);
      this.marks.push(1);
      this.addRowOf(dropped.get(at));
    }
  }

  bounded(trigger: i32, preTokens: f64, postTokens: f64, cache: Cache): void {
    this.begin(MARK_BOUNDARY, this.recorder.count);
    this.addDropped();
    this.marks.push(trigger);
    this.marks.push(preTokens);
    this.marks.push(postTokens);
    cache.list();
    this.addRowsOf(listed);
  }

  cleared(by: i32): void {
    if (dropped.length === 0) return;
    this.begin(MARK_CLEAR, this.recorder.count);
    this.addDropped();
    this.marks.push(by);
  }

  /** `kind`: which of the events that say nothing else. */
  lost(kind: i32): void {
    this.begin(MARK_DROP + kind, this.recorder.count);
    this.addDropped();
  }

  fell(level: i32, hinted: i32, asked: i32): void {
    this.begin(MARK_FALLBACK, this.recorder.count);
    this.marks.push(0);
    this.marks.push(level);
    this.marks.push(hinted);
    this.marks.push(asked);
  }

  begin(kind: i32, position: i32): void {
    this.marks.push(kind);
    this.marks.push(position);
    this.marks.push(line);
    this.marks.push(time < 0 ? ABSENT : time);
    this.marks.push(this.recorder.partition);
  }

  addDropped(): void {
    this.addRowsOf(dropped);
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
