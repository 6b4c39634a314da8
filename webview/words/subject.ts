import type { LiveContext } from "../../src/protocol/apply.js";
import { fileOf } from "../lib/filter.js";
import { familyOf } from "../timeline/model/families.js";
import { baseName, fill, pathInside, strings, visible } from "./pageText.js";

/** What a call was about, in the order in which people look for it. */
export interface Subject {
  /** The file's name; for other calls the command, pattern or query. */
  readonly name: string;
  /** The lines that were requested, as in "380–499". */
  readonly range: string;
  /** The file's folder, relative to the project; for a search, where it looked. */
  readonly folder: string;
  /** The full text, for a tooltip. */
  readonly whole: string;
}

const MAX_CHARS = 300;

export function subjectOf(context: LiveContext, row: number, project: string): Subject {
  const target = visible(context.targets[row] ?? "", MAX_CHARS);
  const file = fileOf(context, row);
  if (file === undefined) return { name: target, range: "", folder: "", whole: target };
  const path = visible(pathInside(project, file), MAX_CHARS);
  const isSearch = familyOf(context.tools[context.rows.get(row, "tool")] ?? "") === "search";
  if (isSearch) return { name: target || path, range: "", folder: target && path, whole: `${target} ${path}`.trim() };
  const name = baseName(path);
  const range = rangeOf(context, row);
  return {
    name,
    range,
    folder: path.slice(0, -name.length).replace(/[\\/]$/, ""),
    whole: `${visible(file, MAX_CHARS)} ${range}`.trim(),
  };
}

/** The length of a file's name with the requested lines, in characters; 0 if it is not a file. */
export function nameLength(context: LiveContext, row: number): number {
  const file = fileOf(context, row);
  if (file === undefined) return 0;
  const range = rangeOf(context, row).length;
  return baseName(file).length + (range === 0 ? 0 : 1 + range);
}

/** "" for the whole file. */
function rangeOf({ rows }: LiveContext, row: number): string {
  // 0 lines: no end was given.
  const [from, lines] = [rows.get(row, "rangeFrom"), rows.get(row, "rangeLines")];
  if (lines === 0) return from > 1 ? fill(strings.events.linesFrom, { from: String(from) }) : "";
  return fill(strings.events.linesFromTo, { from: String(from), to: String(from + lines - 1) });
}
