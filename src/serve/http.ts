/** What all requests and responses have in common. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** On every response: nothing is stored, sniffed, embedded or disclosed to anybody else. */
const COMMON = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function begin(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, { ...COMMON, ...headers });
}

/** One line for whoever tries it by hand. Closes the connection, and with it whatever is still being sent. */
export function refuse(
  response: ServerResponse,
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  begin(response, status, { "content-type": "text/plain; charset=utf-8", connection: "close", ...headers });
  response.end(`${line}\n`);
}

/** All of the page's messages are far shorter. */
const MAX_BODY_BYTES = 64 * 1024;

/** The body as a JSON value; "long" or "bad" if it is not one. The server's timeout takes care of slow senders. */
export async function readJson(request: IncomingMessage): Promise<{ value: unknown } | "long" | "bad"> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return "long";
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) return "long";
    }
    return { value: JSON.parse(Buffer.concat(pieces).toString("utf8")) };
  } catch {
    // Not JSON, or the sender is gone, and then nobody reads the answer.
    return "bad";
  }
}
