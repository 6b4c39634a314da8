/**
 * The last picture of each session, kept in the user's cache folder: a session of hundreds of megabytes that has not
 * changed since is on the screen at once, while it is opened. What is shown is compared with what is found then, so a
 * picture can be old for a moment but never stay wrong. A damaged file is as good as none.
 */
import { createHash, hash } from "node:crypto";
import { join } from "node:path";
import type { Mark } from "../files/ownFiles.js";
import type { ContextItem } from "../protocol/messages.js";
import { KeptFiles, LAYOUT } from "./keptFiles.js";

const FORMAT = `picture 2 ${LAYOUT}`;
/** Of every version. */
const MARK: Mark = { name: /^[0-9a-f]{32}$/, begins: /^\{"format":"picture / };
const MOST_KEPT = 40;

/** What a snapshot says of the selected session. */
export interface Picture {
  readonly contexts: readonly ContextItem[];
  readonly context: readonly ArrayBuffer[];
}

/** The first line of a file; the pieces follow it. */
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
    this.#files = new KeptFiles(join(cacheFolder, "pictures"), MARK, MOST_KEPT);
  }

  /** `state`: what the picture was made from; undefined where there is none of just that. */
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

/** Tells two pictures apart, also when the pieces of one are with another thread already. */
export function sumOf({ contexts, context }: Picture): string {
  const sum = createHash("sha256").update(JSON.stringify(contexts));
  for (const piece of context) sum.update(new Uint8Array(piece));
  return sum.digest("hex");
}

/** Each piece in memory of its own: it will be handed to another thread. */
function cut(body: Buffer, lengths: readonly number[]): ArrayBuffer[] {
  let at = 0;
  return lengths.map(length => {
    const piece = new Uint8Array(body.subarray(at, at + length)).buffer;
    at += length;
    return piece;
  });
}
