/** The bundled sample session, copied to a folder of its own: the extension's folder must not be written or watched. */
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type ExtensionContext, Uri } from "vscode";
import { writeWhole } from "../files/wholeFile.js";

/** The session's own date: a file written today would count as live, and be followed. */
const WRITTEN = new Date("2026-07-25T12:00:00Z");

export class Sample {
  readonly #source: string;
  readonly #folder: string;
  readonly path: string;

  constructor({ extensionUri, globalStorageUri }: ExtensionContext) {
    this.#source = Uri.joinPath(extensionUri, "media", "sample.jsonl").fsPath;
    this.#folder = Uri.joinPath(globalStorageUri, "sample").fsPath;
    this.path = join(this.#folder, "sample.jsonl");
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Returns the copy's path. A newer release may bring another sample. */
  async copy(): Promise<string> {
    const [source, copy] = await Promise.all([stat(this.#source), stat(this.path).catch(() => undefined)]);
    if (copy?.size !== source.size) {
      await mkdir(this.#folder, { recursive: true });
      await writeWhole(this.path, await readFile(this.#source));
      await utimes(this.path, WRITTEN, WRITTEN);
    }
    return this.path;
  }
}
