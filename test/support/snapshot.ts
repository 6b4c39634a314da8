/** Everything about a folder's files, to see that nothing has changed. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** One line per entry: its type, permissions, owner, number of links and contents. */
export function snapshot(folder: string): string[] {
  return entriesUnder(folder).map(path => {
    const stats = lstatSync(path);
    const { uid, gid, nlink, mode } = stats;
    const content = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? contentOf(path) : "";
    const names = stats.isDirectory() ? "" : nlink;
    return [relative(folder, path), mode.toString(8), `${uid}:${gid}`, names, JSON.stringify(content)].join(" ");
  });
}

/** A diff of two long contents would be unreadable. */
function contentOf(file: string): string {
  const bytes = readFileSync(file);
  return bytes.length < MAX_SHOWN_BYTES ? bytes.toString("latin1") : createHash("sha256").update(bytes).digest("hex");
}

const MAX_SHOWN_BYTES = 100_000;

function entriesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, two) => (one.name < two.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...entriesUnder(path)] : [path];
    });
}
