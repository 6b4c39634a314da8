import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { isFolder } from "./folders.js";

/**
 * Creates a folder and those above it, and returns the outermost that it created. Node's own `recursive` never returns
 * where the system knows the folder above but not the new one, as in /proc or below an automounter.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  try {
    mkdirSync(folder, { mode });
    return folder;
  } catch (error) {
    if (isFolder(folder)) return undefined;
    const above = dirname(folder);
    // A drive that does not exist has nothing above it.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above === folder || isFolder(above)) throw error;
    const outermost = makeFolder(above, mode);
    return makeFolder(folder, mode) && (outermost ?? folder);
  }
}
