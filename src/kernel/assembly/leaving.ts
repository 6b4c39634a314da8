/** What leaves a context: the conditions for dropping texts, one at a time. */
import { Table } from "./lists";
import { Entry } from "./result";
import { isStale } from "./wrapper";

const EVERYTHING: i32 = 0;
const AFTER_LINE: i32 = 1;
const NAMED: i32 = 2;
const NOT_PRESERVED: i32 = 3;
const STALE: i32 = 4;

let condition: i32 = EVERYTHING;
let lastLine: i32 = 0;
let tool: i32 = 0;
/** Ids, or line numbers. */
let named = new Table();

export function beginLeaving(): void {
  named = new Table();
}

export function everythingLeaves(): void {
  condition = EVERYTHING;
}

/** Everything after this line of the log. */
export function laterLeaves(line: i32): void {
  condition = AFTER_LINE;
  lastLine = line;
}

/** The results with the ids named afterwards. */
export function namedLeaves(): void {
  condition = NAMED;
  named.clear();
}

/** Everything except the lines named afterwards. */
export function unnamedLeaves(): void {
  condition = NOT_PRESERVED;
  named.clear();
}

export function name(what: i32): void {
  named.set(what, 1);
}

/** What this tool makes stale, according to the settings. */
export function staleLeaves(newTool: i32): void {
  condition = STALE;
  tool = newTool;
}

export function leaves(entry: Entry): bool {
  switch (condition) {
    case AFTER_LINE:
      return entry.line > lastLine;
    case NAMED:
      return named.get(entry.id) !== 0;
    case NOT_PRESERVED:
      return named.get(entry.line) === 0;
    case STALE:
      return isStale(tool, entry.tool);
    default:
      return true;
  }
}

/** The same for a text of a call, by its id and its line. Only for clears and rewinds. */
export function textLeaves(id: i32, line: i32): bool {
  if (condition === AFTER_LINE) return line > lastLine;
  return condition === NAMED ? named.get(id) !== 0 : true;
}
