/** The files of the bundled sample session: its log and its subagents' logs, laid out as Claude Code stores them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SampleFile {
  /** Below the folder with the session's name; undefined for the log itself. */
  readonly below: string | undefined;
  readonly text: string;
}

export interface SampleLine {
  readonly file: SampleFile;
  readonly text: string;
}

/** The log first. */
export function sampleFiles(log: string): SampleFile[] {
  const agents = sessionFile(log, "subagents");
  const names = existsSync(agents) ? readdirSync(agents).sort() : [];
  const below = names.map(name => join("subagents", name));
  return [undefined, ...below].map(path => ({ below: path, text: readFileSync(sessionFile(log, path), "utf8") }));
}

/** Where a file of the session belongs if its log is at this path. */
export function sessionFile(log: string, below: string | undefined): string {
  return below === undefined ? log : join(log.replace(/\.jsonl$/, ""), below);
}

/** The lines of all files in the order in which they were written. Those without a time belong to the line before. */
export function linesInOrder(files: readonly SampleFile[]): SampleLine[] {
  const timed = files.flatMap(file => {
    let time = "";
    return file.text.split(/(?<=\n)/).map(text => {
      const own = /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "";
      if (own > time) time = own;
      return { time, line: { file, text } };
    });
  });
  return timed
    .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    .map(({ line }) => line);
}
