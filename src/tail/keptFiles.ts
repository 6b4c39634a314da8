/** The newest few files of a folder of our own: what is in them saves time, and can be thrown away at any moment. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class KeptFiles {
  readonly #folder: string;
  readonly #most: number;

  constructor(folder: string, most: number) {
    this.#folder = folder;
    this.#most = most;
  }

  /** Undefined where there is none, or it cannot be read. */
  read(name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#folder, name));
    } catch {
      return undefined;
    }
  }

  /** Written whole to another name first: a reader never sees half a file. Failing to write only costs time later. */
  write(name: string, parts: readonly Uint8Array[]): void {
    const temporary = join(this.#folder, `${name}.${process.pid}`);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat(parts), { mode: 0o600 });
      renameSync(temporary, join(this.#folder, name));
      this.#tidy();
    } catch {
      removeIfPossible(temporary);
    }
  }

  #tidy(): void {
    const files = readdirSync(this.#folder).map(name => join(this.#folder, name));
    if (files.length <= this.#most) return;
    const newestFirst = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((one, two) => two.at - one.at);
    for (const { file } of newestFirst.slice(this.#most)) rmSync(file, { force: true });
  }
}

/** In a folder that may not be searched, or is none, even `force` fails. */
export function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nothing was written there either.
  }
}
