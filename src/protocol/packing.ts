/**
 * A context on its way to a page. It is packed into bytes where it is made, passed through by every thread in between,
 * and unpacked by the page: the thread that all extensions share must not handle the 1.6 million numbers and 200,000
 * texts of a long session. The bytes are sent in pieces small enough to post quickly.
 */
import type { ContextState, PackedState, PanelState, ToPage } from "./messages.js";

const PIECE_BYTES = 256 * 1024;

/** The lengths of the parts: the cells, the calls' ids, their targets; everything else follows as JSON. */
const HEADER = 3;
/** Between ids and between targets: splitting a text at these is much faster than parsing as many JSON strings. */
const SEPARATOR = "\n";

export function packContext({ rows, ids, targets, ...rest }: ContextState): ArrayBuffer[] {
  const encoder = new TextEncoder();
  const [idText, targetText] = [joined(ids), joined(targets)];
  const others = { ...rest, ...(idText === "" && { ids }), ...(targetText === "" && { targets }) };
  const texts = [idText, targetText, JSON.stringify(others)].map(text => encoder.encode(text));
  const textBytes = texts.reduce((sum, text) => sum + text.length, 0);
  const cells = new Uint32Array(HEADER + rows.length + Math.ceil(textBytes / 4));
  cells.set([rows.length, ...texts.slice(0, 2).map(text => text.length)]);
  cells.set(rows, HEADER);
  const bytes = new Uint8Array(cells.buffer, 0, 4 * (HEADER + rows.length) + textBytes);
  let at = 4 * (HEADER + rows.length);
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length;
  }
  const pieces: ArrayBuffer[] = [];
  for (at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(cells.buffer.slice(at, Math.min(at + PIECE_BYTES, bytes.length)));
  }
  return pieces;
}

export function unpackContext(pieces: readonly ArrayBuffer[]): ContextState {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  const [length = 0, ...textBytes] = new Uint32Array(bytes.buffer, 0, HEADER);
  const rows = new Uint32Array(bytes.buffer, 4 * HEADER, length);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  at = 4 * (HEADER + length);
  const [ids, targets] = textBytes.map(size => {
    at += size;
    return size === 0 ? undefined : decoder.decode(bytes.subarray(at - size, at)).split(SEPARATOR);
  });
  const others: Omit<ContextState, "rows"> = JSON.parse(decoder.decode(bytes.subarray(at)));
  return { rows, ...others, ...(ids && { ids }), ...(targets && { targets }) };
}

/** As one text; "" if it could not be split again. */
function joined(texts: readonly string[]): string {
  return texts.some(text => UNFIT.test(text)) ? "" : texts.join(SEPARATOR);
}

/** Would be split in two, or is half a character, which has no bytes. */
const UNFIT = /[\n\p{Surrogate}]/u;

export function packState(state: PanelState): PackedState {
  return { ...state, context: state.context === null ? null : packContext(state.context) };
}

export function unpackState(state: PackedState): PanelState {
  return { ...state, context: state.context === null ? null : unpackContext(state.context) };
}

/** A message as posted in VS Code: a snapshot is preceded by its pieces, one by one. */
export type Posted = ToPage | { readonly type: "piece"; readonly index: number; readonly bytes: ArrayBuffer };

export function inPieces(message: ToPage): Posted[] {
  if (message.type !== "snapshot" || message.state.context === null) return [message];
  const pieces = message.state.context.map((bytes, index) => ({ type: "piece", index, bytes }) as const);
  return [...pieces, { ...message, state: { ...message.state, context: [] } }];
}

/** Joins what `inPieces` has split. */
export class PieceCollector {
  #pieces: ArrayBuffer[] = [];

  /** The whole message; undefined while there is more to come. */
  take(posted: Posted): ToPage | undefined {
    if (posted.type === "piece") {
      // The first piece of a snapshot: any earlier pieces belong to an abandoned one.
      if (posted.index === 0) this.#pieces = [];
      this.#pieces.push(posted.bytes);
      return undefined;
    }
    if (posted.type !== "snapshot" || posted.state.context === null) return posted;
    // A snapshot that was posted whole has its own pieces.
    const context = [...this.#pieces, ...posted.state.context];
    this.#pieces = [];
    return { ...posted, state: { ...posted.state, context } };
  }
}
