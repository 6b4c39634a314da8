import { type LogHeader, nameAgent } from "../log/logHeader.js";
import { titleLine } from "../log/tools.js";
import type { ProgramStrings, ReaderExports } from "./programStrings.js";
import * as Layout from "./readerLayout.js";

/** Adds the notes of the reader in WebAssembly to a log's header. */
export class HeaderNotes {
  readonly #program: ReaderExports;
  readonly #strings: ProgramStrings;

  constructor(program: ReaderExports, strings: ProgramStrings) {
    this.#program = program;
    this.#strings = strings;
  }

  /** Moves the notes since the last call: must happen before a later line changes the header. */
  moveTo(header: LogHeader): void {
    const at = this.#program.notesAt();
    const count = this.#program.takeNotes();
    const notes = new Int32Array(this.#program.memory.buffer, at, count).slice();
    for (let note = 0; note < count; note += Layout.NOTE_WORDS) {
      this.#apply(notes[note] as number, notes[note + 1] as number, notes[note + 2] as number, header);
    }
    header.prompts += this.#program.takePrompts();
    header.interruptions += this.#program.takeInterruptions();
    this.#setTitle(header);
    const first = this.#time(this.#program.firstAt.value);
    const last = this.#time(this.#program.lastAt.value);
    if (first !== undefined && !(header.firstAt !== undefined && header.firstAt <= first)) header.firstAt = first;
    if (last !== undefined && !(header.lastAt !== undefined && header.lastAt >= last)) header.lastAt = last;
  }

  #apply(what: number, string: number, other: number, header: LogHeader): void {
    switch (what) {
      case Layout.NOTED_SESSION:
        header.sessionId = this.#strings.get(string);
        break;
      case Layout.NOTED_PROJECT:
        header.project = this.#strings.get(string);
        break;
      case Layout.NOTED_VERSION:
        header.versions.add(this.#strings.get(string));
        break;
      case Layout.NOTED_MODEL:
        header.models.add(this.#strings.get(string));
        break;
      case Layout.NOTED_FIRST_PROMPT:
        header.title = titleLine(this.#strings.get(string));
        break;
      case Layout.NOTED_AGENT:
        nameAgent(header, this.#strings.get(string), this.#strings.get(other));
        break;
      default:
        throw new Error(`an unknown note: ${what}`);
    }
  }

  /** After the first prompt, which serves as the title only until there is one. */
  #setTitle(header: LogHeader): void {
    const at = this.#program.titleAt();
    const bytes = this.#program.takeTitle();
    if (bytes === Layout.NONE) return;
    header.title = titleLine(this.#strings.between(at, at + bytes));
    header.isTitled = true;
  }

  /** The time at an address; undefined if there is none. */
  #time(at: number): string | undefined {
    const length = new Int32Array(this.#program.memory.buffer, at, 1)[0] as number;
    return length === Layout.NONE ? undefined : this.#strings.between(at + 8, at + 8 + length);
  }
}
