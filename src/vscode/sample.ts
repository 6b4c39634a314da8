/** The bundled sample session, copied to a folder of its own: the extension's folder must not be written or watched. */
import { existsSync } from "node:fs";
import { mkdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ExtensionContext, Uri } from "vscode";
import { sampleFiles, sessionFile } from "../files/sampleFiles.js";
import { writeWhole } from "../files/wholeFile.js";

/** The session's own date: a file written today would count as live, and be followed. */
const WRITTEN = new Date("2026-11-12T12:00:00Z");

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
      // The subagents of another sample have other names.
      await rm(sessionFile(this.path, ""), { recursive: true, force: true });
      // The log comes last, when everything that it refers to exists.
      for (const { below, text } of sampleFiles(this.#source).reverse()) {
        const file = sessionFile(this.path, below);
        await mkdir(dirname(file), { recursive: true });
        await writeWhole(file, Buffer.from(text));
        await utimes(file, WRITTEN, WRITTEN);
      }
    }
    return this.path;
  }
}
