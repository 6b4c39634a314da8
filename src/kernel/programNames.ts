import * as Facts from "./layout.js";
import type { NameTable } from "./nameTable.js";
import type { ProgramStrings, ReaderExports } from "./programStrings.js";
import * as Layout from "./readerLayout.js";

/** Names in the program's memory. */
export class ProgramNames implements NameTable {
  readonly #program: ReaderExports;
  readonly #strings: ProgramStrings;
  readonly #keepsAll: boolean;
  #time: string | null = null;
  #timeString = Layout.NONE;

  constructor(program: ReaderExports, strings: ProgramStrings, keepsAll: boolean) {
    this.#program = program;
    this.#strings = strings;
    this.#keepsAll = keepsAll;
  }

  name(text: string): number {
    return this.#program.nameOf(this.#strings.numberOf(text));
  }

  text(text: string): number {
    return this.#program.textOf(this.#strings.numberOf(text));
  }

  time(at: string | null): number {
    if (at !== this.#time) {
      this.#time = at;
      this.#timeString = at === null || !this.#keepsAll ? Layout.NONE : this.#strings.newNumber(at);
    }
    return this.#program.nameOfTime(this.#timeString);
  }

  uuid(uuid: string): number {
    return this.#keepsAll ? this.#program.nameOfUuid(this.#strings.newNumber(uuid)) : Facts.ABSENT;
  }

  addResult(uuid: string, line: number): void {
    this.#program.addResultUuid(this.#strings.newNumber(uuid), line);
  }

  linesWith(uuids: readonly string[]): number[] {
    return uuids.flatMap(uuid => {
      const count = this.#program.findResultLines(this.#strings.numberOf(uuid));
      return [...new Int32Array(this.#program.memory.buffer, this.#program.resultLinesAt(), count)].reverse();
    });
  }

  nameOf(name: number): string | undefined {
    return name < 0 || name >= this.#program.nameCount() ? undefined : this.#strings.get(this.#stringOf(name));
  }

  /** The names of the current chunk, one after another. */
  chunkText(): string {
    const bytes = this.#program.gatherNames();
    if (!this.#strings.hasOdd()) {
      const at = this.#program.scratchFor(0);
      return this.#strings.between(at, at + bytes);
    }
    const texts: string[] = [];
    for (let name = this.#program.firstName(); name < this.#program.nameCount(); name++) {
      texts.push(this.#strings.get(this.#stringOf(name)));
    }
    return texts.join("");
  }

  #stringOf(name: number): number {
    return new Int32Array(this.#program.memory.buffer, this.#program.nameStringsAt(), name + 1)[name] as number;
  }
}
