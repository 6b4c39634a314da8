/**
 * A context on its way to a page. It is packed into bytes where it is made, passed through by every thread in between,
 * and unpacked by the page: the thread that all extensions share must not handle the 1.6 million numbers and 200,000
 * texts of a long session. The bytes are sent in pieces, each of which is quickly posted.
 */
import type { ContextState, PackedState, PanelState, ToPage } from "./messages.js";

const PIECE_BYTES = 256 * 1024;

/** The number of cells, the cells, and everything else as JSON. */
export function packContext({ rows, ...rest }: ContextState): ArrayBuffer[] {
  const text = new TextEncoder().encode(JSON.stringify(rest));
  const bytes = new Uint8Array(4 + 4 * rows.length + text.length);
  const cells = new Uint32Array(bytes.buffer, 0, 1 + rows.length);
  cells[0] = rows.length;
  cells.set(rows, 1);
  bytes.set(text, cells.byteLength);
  const pieces: ArrayBuffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.buffer.slice(at, at + PIECE_BYTES));
  return pieces;
}

export function unpackContext(pieces: readonly ArrayBuffer[]): ContextState {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  const [length = 0] = new Uint32Array(bytes.buffer, 0, 1);
  const rows = new Uint32Array(bytes.buffer, 4, length);
  const rest: Omit<ContextState, "rows"> = JSON.parse(new TextDecoder().decode(bytes.subarray(4 + rows.byteLength)));
  return { rows, ...rest };
}

export function packState(state: PanelState): PackedState {
  return { ...state, context: state.context === null ? null : packContext(state.context) };
}

export function unpackState(state: PackedState): PanelState {
  return { ...state, context: state.context === null ? null : unpackContext(state.context) };
}

/** A message as it is posted in VS Code: the pieces of a snapshot come one by one before it. */
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
      // The first piece of a snapshot: any pieces before it belong to one that was abandoned.
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
