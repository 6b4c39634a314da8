/** A session's work, without and with live hints, and what requests contain. */
import { type Request, type Script, turn, use } from "./api.js";
import { bash } from "./calls.js";
import { resultsIn } from "./requests.js";
import type { Workplace } from "./workplace.js";

/** Files of typical size, without repeated lines. */
export function source(name: string, lines: number): string {
  return Array.from({ length: lines }, (_, at) => `export const ${name}${at} = ${at * 7}; // the ${name} of line ${at}`)
    .join("\n")
    .concat("\n");
}

/** Overlapping reads, a re-read after an edit, a command after a read, a read after a write, commands run again. */
export function work(place: Workplace): Script {
  const a = place.write("a.ts", source("alpha", 240));
  place.write("c.txt", source("gamma", 60));
  const b = place.file("b.ts");
  const read = (file_path: string, more = {}) => turn(use("Read", { file_path, ...more }));
  return {
    main: [
      read(a, { limit: 120 }),
      read(a, { offset: 60, limit: 120 }),
      turn(bash("cat a.ts")),
      turn(bash("cat c.txt")),
      turn(use("Edit", { file_path: a, old_string: "alpha100 ", new_string: "ALPHA100 " })),
      read(a),
      turn(use("Write", { file_path: b, content: source("beta", 120) })),
      read(b),
      turn(bash("ls")),
      turn(bash("cat c.txt")),
      turn(bash("tail -40 c.txt")),
      turn(bash("true")),
      turn(bash("cat c.txt")),
      read(a, { offset: 30, limit: 150 }),
    ],
  };
}

export function lastOf(requests: readonly Request[], conversation = "main"): Request {
  const last = requests.findLast(request => request.conversation === conversation);
  if (last === undefined) throw new Error(`there was no request of ${conversation}`);
  return last;
}

/** Earlier versions add one to whichever result is the newest; no log has it. */
const REMINDER = /\n\n<system-reminder>\nThe TodoWrite tool[\s\S]*<\/system-reminder>\n?$/;

/** Results in order, independent of the folder and of the calls' ids. */
export function texts(results: ReadonlyMap<string, string>, place: Workplace): string[] {
  return [...results.values()].map(text => text.replace(REMINDER, "").replaceAll(place.project, "PROJECT"));
}

export function chars(request: Request): number {
  return [...resultsIn(request).values()].reduce((sum, text) => sum + text.length, 0);
}

/** A replay's emissions for one session, translated to another that had the same results under other ids. */
export function predicted(
  emitted: ReadonlyMap<string, string | undefined>,
  plain: Request,
  hinted: Request,
  place: Workplace,
): string[] {
  const [ids, others] = [[...resultsIn(plain).keys()], [...resultsIn(hinted).keys()]];
  const renamed = (text: string) => ids.reduce((said, id, at) => said.replaceAll(id, others[at] ?? ""), text);
  const said = [...resultsIn(plain)].map(([id, text]) => emitted.get(`main ${id}`) ?? text);
  return said.map(text => renamed(text).replace(REMINDER, "").replaceAll(place.project, "PROJECT"));
}
