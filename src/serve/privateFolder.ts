/** A new folder for files that only this user may read; it goes when it is removed, and with the program at the latest. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export class PrivateFolder {
  readonly path: string;
  readonly #removeAtExit = () => rmSync(this.path, { recursive: true, force: true });

  /** `name` tells a person who comes across it whose it is. */
  constructor(parent: string, name: string) {
    // The system makes it for its owner alone (0700).
    this.path = mkdtempSync(join(resolve(parent), `${name}-`));
    // Also where the program ends in a way that nobody planned.
    process.on("exit", this.#removeAtExit);
  }

  write(name: string, text: string): string {
    const file = join(this.path, name);
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return file;
  }

  remove(): void {
    process.off("exit", this.#removeAtExit);
    this.#removeAtExit();
  }
}
