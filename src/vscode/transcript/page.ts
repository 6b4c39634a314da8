/** A text that is written line by line and records the positions of its links. */

/** A part of one line. */
export interface TextSpan {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** A part that links to a call. */
export interface TextLink extends TextSpan {
  /** The row of the call. */
  readonly row: number;
}

/** A piece of a line: plain text, a link to a call or, without a row, a link that tries again. */
export type Piece = string | { readonly text: string; readonly row?: number };

export class TextPage {
  readonly links: TextLink[] = [];
  readonly retries: TextSpan[] = [];
  readonly #texts: string[] = [];
  #lines = 0;

  /** The number of the line that is written next, from 0. */
  get line(): number {
    return this.#lines;
  }

  get text(): string {
    return this.#texts.join("\n");
  }

  /** Writes one line and returns its number. */
  write(...pieces: readonly Piece[]): number {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      const span = { line: this.#lines, start: text.length, end: text.length + piece.text.length };
      if (piece.row === undefined) this.retries.push(span);
      else this.links.push({ ...span, row: piece.row });
      text += piece.text;
    }
    this.#texts.push(text);
    return this.#lines++;
  }

  /** Writes any number of lines from a log. Only line ends are changed: an editor has one kind of them. */
  writeBlock(text: string): void {
    const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#texts.push(plain);
    this.#lines++;
    for (let at = plain.indexOf("\n"); at >= 0; at = plain.indexOf("\n", at + 1)) this.#lines++;
  }
}
