/**
 * The last picture of each session, kept in the user's cache folder: a session of hundreds of megabytes is shown
 * immediately while it is being opened. It is then compared with the real one, so a picture can be outdated for a moment
 * but never stays wrong. A damaged file is treated as missing.
 */
import { createHash, hash } from "node:crypto";
import { join } from "node:path";
import type { Mark } from "../files/ownFiles.js";
import type { ContextItem } from "../protocol/messages.js";
import { KeptFiles } from "./keptFiles.js";
import { LAYOUT } from "./rowLayout.js";

const FORMAT = `picture 9 ${LAYOUT}`;
/** Files of all versions. */
const MARK: Mark = { name: /^[0-9a-f]{32}$/, begins: /^\{"format":"picture / };
const MAX_KEPT = 40;

/** The part of a snapshot that is about the selected session. */
export interface Picture {
  readonly contexts: readonly ContextItem[];
  readonly context: readonly ArrayBuffer[];
}

/** The first line of a file; the packed pieces follow. */
interface Head {
  readonly format: string;
  readonly state: string;
  readonly sum: string;
  readonly contexts: readonly ContextItem[];
  readonly lengths: readonly number[];
}

export class Pictures {
  readonly #files: KeptFiles;

  constructor(cacheFolder: string) {
    this.#files = new KeptFiles(join(cacheFolder, "pictures"), MARK, MAX_KEPT);
  }

  /** `state`: what the picture must have been made from; undefined if there is no such picture. */
  recall(session: string, context: string, state: string): Picture | undefined {
    try {
      const bytes = this.#files.read(nameOf(session, context));
      if (bytes === undefined) return undefined;
      const headEnd = bytes.indexOf("\n");
      const head = JSON.parse(bytes.toString("utf8", 0, headEnd)) as Head;
      if (head.format !== FORMAT || head.state !== state) return undefined;
      const picture = { contexts: head.contexts, context: cut(bytes.subarray(headEnd + 1), head.lengths) };
      return sumOf(picture) === head.sum ? picture : undefined;
    } catch {
      return undefined;
    }
  }

  remember(session: string, context: string, state: string, picture: Picture): void {
    const { contexts, context: pieces } = picture;
    const lengths = pieces.map(piece => piece.byteLength);
    const head: Head = { format: FORMAT, state, sum: sumOf(picture), contexts, lengths };
    const parts = [Buffer.from(`${JSON.stringify(head)}\n`), ...pieces.map(piece => new Uint8Array(piece))];
    this.#files.write(nameOf(session, context), parts);
  }
}

function nameOf(session: string, context: string): string {
  return hash("sha256", JSON.stringify([session, context]), "hex").slice(0, 32);
}

/** For comparing pictures, even after the pieces of one were transferred to another thread. */
export function sumOf({ contexts, context }: Picture): string {
  const sum = createHash("sha256").update(JSON.stringify(contexts));
  for (const piece of context) sum.update(`${piece.byteLength}\n`).update(new Uint8Array(piece));
  return sum.digest("hex");
}

/** Copies each piece, because it will be transferred to another thread. */
function cut(body: Buffer, lengths: readonly number[]): ArrayBuffer[] {
  let at = 0;
  return lengths.map(length => {
    const piece = new Uint8Array(body.subarray(at, at + length)).buffer;
    at += length;
    return piece;
  });
}
