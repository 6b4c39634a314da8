/**
 * A context on its way to a page. It is packed into bytes where it is made, passed through by every thread in between,
 * and unpacked by the page: the thread that all extensions share must not handle the 1.6 million numbers and 200,000
 * texts of a long session. The bytes are sent in pieces small enough to post quickly.
 */
import type { ContextState, PackedState, PanelState, ToPage } from "./messages.js";

const PIECE_BYTES = 256 * 1024;

/** The lengths of the parts: requests, cells, the calls' ids, their targets; everything else follows as JSON. */
const HEADER = 4;
/** Between ids and between targets: splitting a text at these is much faster than parsing as many JSON strings. */
const SEPARATOR = "\n";

export function packContext({ rows, requests, ids, targets, ...rest }: ContextState): ArrayBuffer[] {
  const encoder = new TextEncoder();
  const [idText, targetText] = [joined(ids), joined(targets)];
  const others = { ...rest, ...(idText === "" && { ids }), ...(targetText === "" && { targets }) };
  const numbers = requests instanceof Float64Array ? requests : new Float64Array(requests);
  const cells = rows instanceof Uint32Array ? rows : new Uint32Array(rows);
  const texts = [idText, targetText, JSON.stringify(others)].map(text => encoder.encode(text));
  const lengths = [numbers, cells, ...texts].slice(0, HEADER).map(({ length }) => length);
  return cut([Uint32Array.from(lengths), numbers, cells, ...texts]);
}

function cut(parts: readonly ArrayBufferView[]): ArrayBuffer[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let left = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  let piece = new Uint8Array();
  let filled = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    for (let at = 0; at < byteLength; ) {
      if (filled === piece.length) {
        piece = new Uint8Array(Math.min(PIECE_BYTES, left));
        pieces.push(piece);
        left -= piece.length;
        filled = 0;
      }
      const bytes = new Uint8Array(buffer, byteOffset + at, Math.min(byteLength - at, piece.length - filled));
      piece.set(bytes, filled);
      filled += bytes.length;
      at += bytes.length;
    }
  }
  return pieces.map(({ buffer }) => buffer);
}

export function unpackContext(pieces: readonly ArrayBuffer[]): ContextState {
  const { buffer } = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  const bytes = new Uint8Array(buffer);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  const [sent = 0, length = 0, ...textBytes] = new Uint32Array(buffer, 0, HEADER);
  const requests = new Float64Array(buffer, 4 * HEADER, sent);
  const rows = new Uint32Array(buffer, 4 * HEADER + 8 * sent, length);
  at = rows.byteOffset + rows.byteLength;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const [ids, targets] = textBytes.map(size => {
    at += size;
    return size === 0 ? undefined : decoder.decode(bytes.subarray(at - size, at)).split(SEPARATOR);
  });
  const others: Omit<ContextState, "rows" | "requests"> = JSON.parse(decoder.decode(bytes.subarray(at)));
  return { rows, requests, ...others, ...(ids && { ids }), ...(targets && { targets }) };
}

/** As one text; "" if it could not be split again, or has half a character, which has no bytes. */
function joined(texts: readonly string[]): string {
  const text = texts.join(SEPARATOR);
  let parts = 1;
  for (let at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + 1)) parts++;
  return parts === texts.length && !HALF_CHARACTER.test(text) ? text : "";
}

const HALF_CHARACTER = /\p{Surrogate}/u;

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
