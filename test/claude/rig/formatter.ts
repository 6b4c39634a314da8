/** A file that the model reads in parts, edits and reads again, while something else changes it after the edit. */
import { appendFileSync } from "node:fs";
import { type Request, type Script, turn, use } from "./api.js";
import { aside } from "./calls.js";
import { resultsIn } from "./requests.js";
import { lastOf, source } from "./work.js";
import type { Workplace } from "./workplace.js";

/** The result of the Read that gets hints, and that of the same Read after the edit. */
export async function rereadAfterFormatter(
  place: Workplace,
  play: (script: Script) => Promise<{ readonly requests: readonly Request[] }>,
): Promise<(string | undefined)[]> {
  // Claude Code only shows what has changed in a small file; it forgets that it has read a larger one.
  const file_path = place.write("a.ts", source("alpha", 40));
  const read = (more = {}) => use("Read", { file_path, ...more });
  const [part, whole, again] = [read({ limit: 30 }), read(), read()];
  const edit = use("Edit", { file_path, old_string: "the alpha of line 0", new_string: "EDITED" });
  // Claude Code notices that before its next request, and reads the file.
  const format = async () => appendFileSync(file_path, "// formatted\n");
  const { requests } = await play({
    main: [turn(part), aside(), turn(whole), turn(edit), { ...aside(), until: format }, turn(again), aside()],
  });
  const results = resultsIn(lastOf(requests));
  return [whole, again].map(({ id }) => results.get(id));
}
