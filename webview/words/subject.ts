import type { LiveContext } from "../../src/protocol/apply.js";
import { fileOf } from "../lib/filter.js";
import { familyOf } from "../timeline/model/families.js";
import { baseName, fill, pathInside, strings, visible } from "./text.js";

/** What a call was about, in the order in which people look for it. */
export interface Subject {
  /** The file's name; of other calls the command, pattern or query. */
  readonly name: string;
  /** The lines that were asked for, as in "380–499". */
  readonly range: string;
  /** Where the file is, seen from the project; for a search, where it looked. */
  readonly folder: string;
  /** All of it, for a tooltip. */
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
  const range = rangeText(context.rows.get(row, "rangeFrom"), context.rows.get(row, "rangeLines"));
  return {
    name,
    range,
    folder: path.slice(0, -name.length).replace(/[\\/]$/, ""),
    whole: `${visible(file, MAX_CHARS)} ${range}`.trim(),
  };
}

/** Nothing for the whole file. `lines` is 0 where no end was named. */
function rangeText(from: number, lines: number): string {
  if (lines === 0) return from > 1 ? fill(strings.events.linesFrom, { from: String(from) }) : "";
  return fill(strings.events.linesFromTo, { from: String(from), to: String(from + lines - 1) });
}
