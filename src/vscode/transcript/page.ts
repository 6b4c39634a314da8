/** A text written line by line that records where everything is. */
import { callText, type Piece as SentencePiece } from "../../words/text.js";

/** A stretch of one line. */
export interface TextSpan {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** A stretch that links to a call. */
export interface TextLink extends TextSpan {
  /** The row of the call. */
  readonly row: number;
}

/** A piece of a line: a piece of a sentence, a link to a call or, without a row, a retry link. */
export type Piece = SentencePiece | { readonly text: string; readonly row?: number };

export class TextPage {
  readonly links: TextLink[] = [];
  readonly retries: TextSpan[] = [];
  readonly #texts: string[] = [];
  #lines = 0;

  /** The number of the next line, from 0. */
  get line(): number {
    return this.#lines;
  }

  get text(): string {
    return this.#texts.join("\n");
  }

  /** Writes one line; returns its number. */
  write(...pieces: readonly Piece[]): number {
    let text = "";
    for (const piece of pieces) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      const link = "call" in piece ? { text: callText(piece.call), row: piece.call } : piece;
      const span = { line: this.#lines, start: text.length, end: text.length + link.text.length };
      if (link.row === undefined) this.retries.push(span);
      else this.links.push({ ...span, row: link.row });
      text += link.text;
    }
    this.#texts.push(text);
    return this.#lines++;
  }

  /** Log text of any number of lines, unchanged except for line endings: an editor has only one kind. */
  writeBlock(text: string): void {
    const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#texts.push(plain);
    this.#lines++;
    for (let at = plain.indexOf("\n"); at >= 0; at = plain.indexOf("\n", at + 1)) this.#lines++;
  }
}
