/** A new folder for files that only this user may read. They are deleted with it, at the latest when the program ends. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { removeIfEmpty } from "../files/ownFiles.js";
import { removeIfPossible, writeWholeSync } from "../files/wholeFile.js";

export class PrivateFolder {
  readonly path: string;
  readonly #files: string[] = [];
  /** Only deletes our own files: if there is anything else in the folder, it stays. */
  readonly #removeAtExit = () => {
    for (const file of this.#files) removeIfPossible(file);
    removeIfEmpty(this.path);
  };

  /** `name` tells people who come across the folder what it belongs to. */
  constructor(parent: string, name: string) {
    // Only accessible for its owner (0700).
    this.path = mkdtempSync(join(parent, `${name}-`));
    // Also when the program ends unexpectedly.
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
