/** A new folder for files that only this user may read. They are deleted with it, at the latest when the program ends. */
import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { removeIfEmpty } from "../files/ownFiles.js";
import { removeIfPossible, writeWholeSync } from "../files/wholeFile.js";

export class PrivateFolder {
  readonly path: string;
  readonly #files: string[] = [];
  readonly #folders = new Set<string>();
  /** Only deletes our own files; a folder that contains anything else is kept. */
  readonly #removeAtExit = () => {
    for (const file of this.#files) removeIfPossible(file);
    // Deepest first.
    for (const folder of [...this.#folders].sort().reverse()) removeIfEmpty(folder);
    removeIfEmpty(this.path);
  };

  /** `name` tells people who come across the folder what it belongs to. */
  constructor(parent: string, name: string) {
    // Accessible only to its owner (0700).
    this.path = mkdtempSync(join(parent, `${name}-`));
    // Also if the program ends unexpectedly.
    process.on("exit", this.#removeAtExit);
  }

  write(name: string, text: string): string {
    const file = join(this.path, name);
    makeFolder(dirname(file));
    for (let folder = dirname(file); folder !== this.path; folder = dirname(folder)) this.#folders.add(folder);
    this.#files.push(file);
    writeWholeSync(file, text);
    return file;
  }

  remove(): void {
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}
