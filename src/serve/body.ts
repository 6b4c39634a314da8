import type { IncomingMessage } from "node:http";

/** Every message of the page is far shorter. */
export const MOST_BODY_BYTES = 64 * 1024;

/** The body as a JSON value; "long" or "bad" where it is none. A slow sender is ended by the server's time-out. */
export async function readJson(request: IncomingMessage): Promise<{ value: unknown } | "long" | "bad"> {
  if (Number(request.headers["content-length"] ?? 0) > MOST_BODY_BYTES) return "long";
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MOST_BODY_BYTES) return "long";
      pieces.push(piece);
    }
    return { value: JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown };
  } catch {
    // Not JSON, or the sender has gone: then nobody reads the answer.
    return "bad";
  }
}
