/**
 * The text of a transcript, with the positions of everything in it. Links, symbols and folds use these and never parse
 * the text: a result may contain lines that look like ours.
 */

import { MAX_INPUT, MAX_TEXT } from "../../engine/texts/stretches.js";
import { addRow, emptyFigures, type Figures, repeats } from "../../inspect/figures.js";
import type { Mark } from "../../inspect/logData.js";
import { outcomeAt } from "../../inspect/outcomes.js";
import type { CallDetails, Stretch } from "../../protocol/requests.js";
import { markPieces, markSubject, outcomePieces } from "../../words/outcomeTexts.js";
import { strings } from "../../words/strings.js";
import { counted, fill, pieces, plain, visible } from "../../words/text.js";
import { TRANSCRIPT_TITLE, texts } from "../vscodeStrings.js";
import { type TextLink, TextPage, type TextSpan } from "./page.js";
import type { StretchContext } from "./stretchContext.js";

/** For log text on one of our own lines. */
const MAX_CHARS = 200;

export interface TranscriptInput {
  readonly context: StretchContext;
  /** Undefined if the log no longer has the call. */
  readonly details: (row: number) => CallDetails | Unread | undefined;
}

/** Texts that could not be read, and why. */
export interface Unread {
  readonly failed: string;
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
  /** Where it says that something could not be read: following one retries. */
  readonly retries: readonly TextSpan[];
}

/** Replaces a transcript that could not be written. */
export function failedTranscript(name: string, why: string): Transcript {
  const page = new TextPage();
  const text = texts.transcript;
  page.write(fill(TRANSCRIPT_TITLE, { session: visible(name, MAX_CHARS), context: text.failed }));
  page.write(visible(why, MAX_CHARS));
  page.write({ text: strings.app.retry });
  return { text: page.text, lineCount: page.line, partitions: [], links: [], retries: page.retries };
}

/** Writes in pieces: a long transcript has hundreds of calls, and must not block the extension host. */
export class TranscriptWriter {
  readonly #input: TranscriptInput;
  readonly #page = new TextPage();
  readonly #partitions: PartitionSection[] = [];
  #row: number;
  #mark = 0;
  #partition = -1;
  #begun: Omit<Section, "endLine"> | undefined;
  #calls: CallSection[] = [];

  constructor(input: TranscriptInput) {
    this.#input = input;
    this.#row = input.context.stretch.from;
    this.#writeHead();
  }

  /** Writes the calls before this row. */
  writeUpTo(row: number): void {
    for (; this.#row < row; this.#row++) {
      this.#writeMarks(this.#row);
      this.#begin(this.#input.context.get(this.#row, "partition"));
      this.#calls.push(this.#writeCall(this.#row));
    }
  }

  finish(): Transcript {
    const { to, later } = this.#input.context.stretch;
    this.writeUpTo(to);
    this.#writeMarks(Number.POSITIVE_INFINITY);
    this.#end();
    this.#writeNeighbour(texts.transcript.later, later);
    const { text, line, links, retries } = this.#page;
    return { text, lineCount: line, partitions: this.#partitions, links, retries };
  }

  /** Writes what happened before a row. */
  #writeMarks(row: number): void {
    const { marks } = this.#input.context.stretch;
    for (; (marks[this.#mark]?.position ?? Number.NaN) <= row; this.#mark++) {
      const mark = marks[this.#mark] as Mark;
      // A boundary ends the partition before it; everything else happens within one.
      if (mark.kind !== "boundary") this.#begin(mark.partition);
      this.#page.write(...pieces(texts.transcript.mark, { subject: markSubject(mark), what: markPieces(mark) }));
      this.#page.write("");
    }
  }

  #writeHead(): void {
    const { stretch } = this.#input.context;
    const { from, to, title, contextName, capacity } = stretch;
    const text = texts.transcript;
    this.#page.write(
      fill(TRANSCRIPT_TITLE, {
        session: visible(title, MAX_CHARS) || strings.bar.noTitle,
        context: visible(contextName, MAX_CHARS),
      }),
    );
    this.#page.write(stretch.file);
    const ratio = stretch.charsPerToken.toFixed(2);
    const numbers = { from: from + 1, to, all: stretch.results, capacity };
    this.#page.write(to === from ? text.nothing : fill(text.about, { ...numbers, ratio }));
    this.#writeNeighbour(text.earlier, stretch.earlier);
    this.#writeNeighbour(text.later, stretch.later);
    this.#page.write("");
  }

  #writeNeighbour(text: string, stretch: Stretch | null): void {
    if (stretch === null) return;
    const { from, to } = stretch;
    this.#page.write({ text: fill(text, { from: from + 1, to }), row: from });
  }

  /** Begins a partition, unless already begun. */
  #begin(number: number): void {
    if (number === this.#partition) return;
    const row = this.#row;
    this.#end();
    this.#partition = number;
    const { context } = this.#input;
    const text = texts.transcript;
    const figures = figuresOf(context, number, row);
    const results = counted(strings.counts.results, figures.results);
    const repeating = counted(strings.counts.repeats, repeats(figures));
    const saved = counted(strings.counts.tokens, Math.round(figures.savedTokens));
    const isContinued = row > 0 && context.get(row - 1, "partition") === number;
    const header = isContinued ? text.continued : text.partition;
    const line = this.#page.write(fill(header, { number, results, repeats: repeating, saved }));
    this.#page.write("");
    const name = fill(strings.bar.partitionNumber, { number });
    this.#begun = { line, name, detail: fill(text.partitionDetail, { results, repeats: repeating }) };
  }

  #end(): void {
    if (this.#begun === undefined) return;
    const endLine = Math.max(this.#begun.line, this.#page.line - 2);
    this.#partitions.push({ ...this.#begun, endLine, calls: this.#calls });
    this.#calls = [];
    this.#begun = undefined;
  }

  #writeCall(row: number): CallSection {
    const { context } = this.#input;
    const text = texts.transcript;
    const number = row + 1;
    const subject = subjectOf(context, row);
    const size = Math.round(context.get(row, "chars") / context.stretch.charsPerToken);
    const tokens = counted(strings.counts.tokens, size);
    const outcome = outcomePieces(context, row, { capacity: context.stretch.capacity, beside: "text" });
    const line = this.#page.write(...pieces(text.call, { number, subject, tokens, outcome }));
    this.#writeTexts(row);
    const endLine = this.#page.line - 1;
    this.#page.write("");
    const name = fill(text.callName, { number, subject });
    return { row, line, endLine, name, detail: plain(outcome) };
  }

  /**
   * A hit's result is what the linked call shows, byte for byte: the hint replaces it, as for the model. A near hit's
   * is not shown anywhere else, so it is shown too.
   */
  #writeTexts(row: number): void {
    const details = this.#input.details(row);
    if (details === undefined) return;
    const { context } = this.#input;
    const text = texts.transcript;
    if ("failed" in details) {
      const unread = fill(text.unread, { why: visible(details.failed, MAX_CHARS) });
      this.#page.write(`${unread} `, { text: strings.app.retry });
      return;
    }
    const ref = context.get(row, "ref") - 1;
    this.#writeText(text.input, details.input, MAX_INPUT, text.cutInput);
    if (details.hint !== null && ref >= 0) {
      const isNear = outcomeAt(context, row) === "nearHit";
      this.#page.write(isNear ? text.nearHint : counted(text.hint, context.get(row, "chars")));
      this.#page.write({ text: details.hint.replace(/[\r\n]+/g, " "), row: ref });
      if (!isNear) return;
    }
    // The outcome already says if it is not text.
    this.#writeText(text.result, details.result ?? "", MAX_TEXT, text.cut);
  }

  #writeText(heading: string, body: string, max: number, cut: string): void {
    if (body === "") return;
    this.#page.write(heading);
    this.#page.writeBlock(body.length > max ? body.slice(0, max) : body);
    const more = body.length - max;
    if (more > 0) this.#page.write(counted(cut, more));
  }
}

/** The figures of a partition's results from `row` on, as far as the stretch goes. */
function figuresOf(context: StretchContext, partition: number, row: number): Figures {
  const figures = emptyFigures();
  const { charsPerToken, to } = context.stretch;
  for (let at = row; at < to && context.get(at, "partition") === partition; at++) {
    addRow(figures, ...context.packed(at), charsPerToken, 0);
  }
  return figures;
}

/** The tool and what it was about. */
function subjectOf(context: StretchContext, row: number): string {
  // A tool's name is text from a log too: a line break in it would throw off all line numbers below.
  const tool = visible(context.tool(row), MAX_CHARS) || strings.app.unknownTool;
  const target = visible(context.target(row), MAX_CHARS);
  return target === "" ? tool : `${tool} ${target}`;
}
