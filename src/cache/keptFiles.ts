/** Keeps the newest few files in one of our folders: they save time, and can be deleted at any moment. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { withOpenFile } from "../files/openFile.js";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { writeWholeSync } from "../files/wholeFile.js";

/** No write takes this long: an older unfinished file is a leftover. */
export const LEFT_BEHIND_MS = 3_600_000;

export class KeptFiles {
  readonly #folder: string;
  readonly #mark: Mark;
  readonly #maxFiles: number;

  constructor(folder: string, mark: Mark, maxFiles: number) {
    this.#folder = folder;
    this.#mark = mark;
    this.#maxFiles = maxFiles;
  }

  /** Undefined if it does not exist or cannot be read. */
  read(name: string): Buffer | undefined {
    try {
      return withOpenFile(join(this.#folder, name), file => readFileSync(file));
    } catch {
      return undefined;
    }
  }

  /** A failed write only costs time later. */
  write(name: string, parts: readonly Uint8Array[]): void {
    try {
      makeFolder(this.#folder);
      writeWholeSync(join(this.#folder, name), Buffer.concat(parts));
      this.#tidy();
    } catch {
      // It will be made again.
    }
  }

  #tidy(): void {
    const files = filesNamed(this.#folder, this.#mark);
    const newestFirst = files.filter(({ isWhole }) => isWhole).sort((one, two) => two.modified - one.modified);
    const leftBehind = files.filter(({ isWhole, modified }) => !isWhole && Date.now() - modified > LEFT_BEHIND_MS);
    for (const file of [...newestFirst.slice(this.#maxFiles), ...leftBehind]) removeIfOurs(file, this.#mark);
  }
}
