import type { ServerResponse } from "node:http";

/** On every answer: nothing is kept, guessed, embedded or told to anybody else. */
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

/** A refusal: one line for whoever tries by hand. The connection ends, and with it whatever is still on its way. */
export function refuse(
  response: ServerResponse,
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  begin(response, status, { "content-type": "text/plain; charset=utf-8", connection: "close", ...headers });
  response.end(`${line}\n`);
}
