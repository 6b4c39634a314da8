/** A text written line by line that knows where everything in it stands. */

/** A stretch of one line that leads somewhere. */
export interface TextLink {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The row of a call. */
  readonly row: number;
}

/** A piece of a line: plain text, or the name of a call that can be gone to. */
export type Piece = string | { readonly text: string; readonly row: number };

export class TextPage {
  readonly links: TextLink[] = [];
  readonly #texts: string[] = [];
  #lines = 0;

  /** The number of the line that is written next, from 0. */
  get line(): number {
    return this.#lines;
  }

  get text(): string {
    return this.#texts.join("\n");
  }

  /** One line; gives its number. */
  write(...pieces: readonly Piece[]): number {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      this.links.push({ line: this.#lines, start: text.length, end: text.length + piece.text.length, row: piece.row });
      text += piece.text;
    }
    this.#texts.push(text);
    return this.#lines++;
  }

  /** Text of a log, of any number of lines, just as it is but for its line ends: an editor has one kind of them. */
  writeBlock(text: string): void {
    const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#texts.push(plain);
    this.#lines++;
    for (let at = plain.indexOf("\n"); at >= 0; at = plain.indexOf("\n", at + 1)) this.#lines++;
  }
}
