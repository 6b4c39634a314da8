/**
 * The text of a transcript, and where everything in it stands. Links, symbols and folds come from here and never from
 * the text: a result may hold lines that look like ours.
 */

import type { Mark } from "../../inspect/contextModel.js";
import { addRow, emptyFigures, type Figures } from "../../inspect/figures.js";
import { grouped } from "../../inspect/numbers.js";
import type { LiveContext } from "../../protocol/apply.js";
import type { CallDetails } from "../../protocol/messages.js";
import { counted, fill } from "../../protocol/strings.js";
import { texts } from "../strings.js";
import { type Piece, type TextLink, TextPage } from "./page.js";
import { markOf, outcomeOf, subjectOf, tokensOf } from "./subjects.js";
import { LONGEST_TEXT, type Stretch } from "./windows.js";

export interface TranscriptInput {
  readonly context: LiveContext;
  /** The log. */
  readonly file: string;
  readonly title: string;
  readonly contextId: string;
  readonly capacity: number;
  readonly stretches: readonly Stretch[];
  /** Which of the stretches is written. */
  readonly index: number;
  /** Undefined where the log no longer has the call. */
  readonly details: (row: number) => CallDetails | undefined;
}

/** A call or a partition: its first and last line. */
export interface Section {
  readonly line: number;
  readonly endLine: number;
  readonly name: string;
  readonly detail: string;
}

export interface CallSection extends Section {
  readonly row: number;
}

export interface PartitionSection extends Section {
  readonly calls: readonly CallSection[];
}

export interface Transcript {
  readonly text: string;
  readonly lineCount: number;
  readonly partitions: readonly PartitionSection[];
  /** To calls of the same context, in this document or another. */
  readonly links: readonly TextLink[];
}

/** Writes piece by piece: a long transcript is hundreds of calls, and the extension host has other things to do. */
export class TranscriptWriter {
  readonly #input: TranscriptInput;
  readonly #page = new TextPage();
  readonly #partitions: PartitionSection[] = [];
  readonly #stretch: Stretch;
  readonly #marks: LiveContext["marks"];
  #row: number;
  #mark = 0;
  #partition = -1;
  #begun: Omit<Section, "endLine"> | undefined;
  #calls: CallSection[] = [];

  constructor(input: TranscriptInput) {
    this.#input = input;
    const { context, stretches, index } = input;
    this.#stretch = stretches[index] ?? { from: 0, to: 0 };
    const { from, to } = this.#stretch;
    const isLast = index === stretches.length - 1;
    this.#marks = context.marks.filter(({ position }) => position >= from && (position < to || isLast));
    this.#row = from;
    this.#writeHead();
  }

  /** Writes the calls before this row. */
  writeUpTo(row: number): void {
    for (; this.#row < row; this.#row++) {
      this.#writeMarks(this.#row);
      this.#begin(this.#input.context.rows.get(this.#row, "partition"));
      this.#calls.push(this.#writeCall(this.#row));
    }
  }

  finish(): Transcript {
    const { stretches, index } = this.#input;
    this.writeUpTo(this.#stretch.to);
    this.#writeMarks(Number.POSITIVE_INFINITY);
    this.#end();
    this.#writeNeighbour(texts.transcript.later, stretches[index + 1]);
    const { text, line, links } = this.#page;
    return { text, lineCount: line, partitions: this.#partitions, links };
  }

  /** What happened before a row. */
  #writeMarks(row: number): void {
    for (; (this.#marks[this.#mark]?.position ?? Number.NaN) <= row; this.#mark++) {
      const mark = this.#marks[this.#mark] as Mark;
      // A boundary ends the partition before it; everything else happens within one.
      if (mark.kind !== "boundary") this.#begin(mark.partition);
      this.#page.write(...around(texts.transcript.mark, "what", markOf(mark)));
      this.#page.write("");
    }
  }

  #writeHead(): void {
    const { context, file, title, contextId, capacity, stretches, index } = this.#input;
    const { from, to } = this.#stretch;
    const text = texts.transcript;
    this.#page.write(fill(text.title, { session: title || texts.sessions.untitled, context: contextId }));
    this.#page.write(file);
    const ratio = context.calibration.charsPerToken.toFixed(2);
    const numbers = { from: grouped(from + 1), to: grouped(to), all: grouped(context.rows.length) };
    this.#page.write(to === from ? text.nothing : fill(text.about, { ...numbers, capacity, ratio }));
    this.#writeNeighbour(text.earlier, stretches[index - 1]);
    this.#writeNeighbour(text.later, stretches[index + 1]);
    this.#page.write("");
  }

  #writeNeighbour(text: string, stretch: Stretch | undefined): void {
    if (stretch === undefined) return;
    const { from, to } = stretch;
    this.#page.write({ text: fill<string>(text, { from: grouped(from + 1), to: grouped(to) }), row: from });
  }

  /** Begins a partition unless it has begun. */
  #begin(number: number): void {
    if (number === this.#partition) return;
    const row = this.#row;
    this.#end();
    this.#partition = number;
    const { context } = this.#input;
    const text = texts.transcript;
    const figures = figuresOf(context, number, row, this.#stretch.to);
    const results = counted(texts.sessions.results, figures.results);
    const hits = counted(texts.sessions.hits, figures.hits + figures.nearHits);
    const saved = grouped(Math.round(figures.savedTokens));
    const isContinued = row > 0 && context.rows.get(row - 1, "partition") === number;
    const header = isContinued ? text.continued : text.partition;
    const line = this.#page.write(fill(header, { number, results, hits, saved }));
    this.#page.write("");
    const name = fill(text.partitionName, { number });
    this.#begun = { line, name, detail: fill(text.partitionDetail, { results, hits }) };
  }

  #end(): void {
    if (this.#begun === undefined) return;
    const endLine = Math.max(this.#begun.line, this.#page.line - 2);
    this.#partitions.push({ ...this.#begun, endLine, calls: this.#calls });
    this.#calls = [];
    this.#begun = undefined;
  }

  #writeCall(row: number): CallSection {
    const { context, capacity } = this.#input;
    const text = texts.transcript;
    const number = grouped(row + 1);
    const [subject, tokens] = [subjectOf(context, row), tokensOf(context, row)];
    const outcome = outcomeOf(context, row, capacity);
    const [before = "", after = ""] = text.call.split("{outcome}");
    // The subject is the log's: it is put in last, so that nothing in it is filled in.
    const head = fill<string>(before, { number, tokens }).replace("{subject}", () => subject);
    const line = this.#page.write(head, ...outcome, after);
    this.#writeTexts(row);
    const endLine = this.#page.line - 1;
    this.#page.write("");
    const name = text.callName.replace("{number}", number).replace("{subject}", () => subject);
    return { row, line, endLine, name, detail: plain(outcome) };
  }

  /** A hit's result is what the linked call shows, byte for byte: the hint stands in its place, as for the model. */
  #writeTexts(row: number): void {
    const details = this.#input.details(row);
    if (details === undefined) return;
    const { context } = this.#input;
    const text = texts.transcript;
    const ref = context.rows.get(row, "ref") - 1;
    this.#writeText(text.input, details.input);
    if (details.hint !== null && ref >= 0) {
      const isNear = details.hint.startsWith(NEAR);
      const chars = grouped(context.rows.get(row, "chars"));
      this.#page.write(isNear ? text.nearHint : fill(text.hint, { chars }));
      this.#page.write({ text: details.hint.replace(/[\r\n]+/g, " "), row: ref });
      if (!isNear) return;
    }
    this.#writeText(text.result, details.result);
  }

  #writeText(heading: string, body: string): void {
    if (body === "") return;
    this.#page.write(heading);
    this.#page.writeBlock(body.length > LONGEST_TEXT ? body.slice(0, LONGEST_TEXT) : body);
    const more = body.length - LONGEST_TEXT;
    if (more > 0) this.#page.write(fill(texts.transcript.cut, { chars: grouped(more) }));
  }
}

/** A near hint names the values that differ, but the page gets it without them: the result is shown too. */
const NEAR = "> [near-ref:";

/** The figures of a partition's results from `row` up to `end` at most. */
function figuresOf(context: LiveContext, partition: number, row: number, end: number): Figures {
  const figures = emptyFigures();
  const { charsPerToken } = context.calibration;
  for (let at = row; at < end && context.rows.get(at, "partition") === partition; at++) {
    addRow(figures, context.rows, at, charsPerToken, 0);
  }
  return figures;
}

/** Puts pieces where a text names them. */
function around(text: string, name: string, pieces: readonly Piece[]): Piece[] {
  const [before = "", after = ""] = text.split(`{${name}}`);
  return [before, ...pieces, after];
}

function plain(pieces: readonly Piece[]): string {
  return pieces.map(piece => (typeof piece === "string" ? piece : piece.text)).join("");
}
