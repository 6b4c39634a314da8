/** The lines of results by their uuids: `ResultLines` in src/kernel/nameTable.ts. */
import { List, Table } from "../lists";
import { internString } from "./strings";

/** For each result its uuid, as a string, and its line. */
let uuids = new List<i32>();
let lines = new List<i32>();
/** The same results with the one before that has the same uuid, plus 1: on demand, because most logs ask for none. */
let previous = new List<i32>();
/** By uuid, the newest of these results, plus 1. */
let newest = new Table();
let found = new List<i32>();

export function beginResultLines(): void {
  uuids = new List<i32>();
  lines = new List<i32>();
  previous = new List<i32>();
  newest = new Table();
  found = new List<i32>();
}

export function addResultUuid(uuid: i32, line: i32): void {
  uuids.push(uuid);
  lines.push(line);
}

/** Finds the lines of results with an interned uuid, the newest first; returns their number. */
export function findResultLines(uuid: i32): i32 {
  while (previous.length < uuids.length) linkNext();
  found.length = 0;
  let line = 0;
  for (let at = newest.get(uuid); at !== 0; at = previous.get(at - 1)) {
    // Several results of one line have the same uuid.
    if (lines.get(at - 1) !== line) found.push(lines.get(at - 1));
    line = lines.get(at - 1);
  }
  return found.length;
}

export function resultLinesAt(): usize {
  return found.address;
}

function linkNext(): void {
  const uuid = internString(uuids.get(previous.length));
  previous.push(newest.get(uuid));
  newest.set(uuid, previous.length);
}
