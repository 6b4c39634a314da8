/** The newest few files of a folder of our own: what is in them saves time, and can be thrown away at any moment. */
import { hash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesNamed, type Mark, removeIfOurs } from "../files/ownFiles.js";
import { withOpenFile } from "../files/readLog.js";
import { writeWholeSync } from "../files/wholeFile.js";
import { ROW_LAYOUT } from "../inspect/rows.js";

/** In the head of everything that holds rows: a new column or outcome makes older files as good as none. */
export const LAYOUT = hash("sha256", ROW_LAYOUT, "hex").slice(0, 8);

/** Nothing takes as long to write. */
export const LEFT_BEHIND_MS = 3_600_000;

export class KeptFiles {
  readonly #folder: string;
  readonly #mark: Mark;
  readonly #most: number;

  constructor(folder: string, mark: Mark, most: number) {
    this.#folder = folder;
    this.#mark = mark;
    this.#most = most;
  }

  /** Undefined where there is none, or it cannot be read. */
  read(name: string): Buffer | undefined {
    try {
      return withOpenFile(join(this.#folder, name), file => readFileSync(file));
    } catch {
      return undefined;
    }
  }

  /** Failing to write only costs time later. */
  write(name: string, parts: readonly Uint8Array[]): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeWholeSync(join(this.#folder, name), Buffer.concat(parts));
      this.#tidy();
    } catch {
      // Nothing was kept.
    }
  }

  #tidy(): void {
    const files = filesNamed(this.#folder, this.#mark);
    const newestFirst = files.filter(({ isWhole }) => isWhole).sort((one, two) => two.modified - one.modified);
    const leftBehind = files.filter(({ isWhole, modified }) => !isWhole && Date.now() - modified > LEFT_BEHIND_MS);
    for (const file of [...newestFirst.slice(this.#most), ...leftBehind]) removeIfOurs(file, this.#mark);
  }
}
