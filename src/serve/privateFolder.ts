/** A new folder for files that only this user may read; they go when it is removed, and with the program at the latest. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { removeIfEmpty } from "../files/ownFiles.js";
import { removeIfPossible, writeWholeSync } from "../files/wholeFile.js";

export class PrivateFolder {
  readonly path: string;
  readonly #files: string[] = [];
  /** Only what was written here: anything else in the folder, and then the folder itself, stays. */
  readonly #removeAtExit = () => {
    for (const file of this.#files) removeIfPossible(file);
    removeIfEmpty(this.path);
  };

  /** `name` tells a person who comes across it whose it is. */
  constructor(parent: string, name: string) {
    // The system makes it for its owner alone (0700).
    this.path = mkdtempSync(join(parent, `${name}-`));
    // Also where the program ends in a way that nobody planned.
    process.on("exit", this.#removeAtExit);
  }

  write(name: string, text: string): string {
    const file = join(this.path, name);
    this.#files.push(file);
    writeWholeSync(file, text);
    return file;
  }

  remove(): void {
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}
