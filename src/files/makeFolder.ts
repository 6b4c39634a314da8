import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { isFolder } from "./folders.js";

/**
 * Creates a folder and those above it, and returns the outermost that it created. Node's own `recursive` never returns
 * where the system knows the folder above but not the new one, as in /proc or below an automounter.
 */
export function makeFolder(folder: string, mode = 0o700): string | undefined {
  try {
    return create(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    // A drive that does not exist has nothing above it.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || above === folder) throw error;
    const outermost = makeFolder(above, mode);
    // Tried again even if the folder above exists: another process may just have created it.
    const created = create(folder, mode);
    return outermost ?? created;
  }
}

/** Undefined if it already exists. */
function create(folder: string, mode: number): string | undefined {
  try {
    mkdirSync(folder, { mode });
    return folder;
  } catch (error) {
    if (isFolder(folder)) return undefined;
    throw error;
  }
}
