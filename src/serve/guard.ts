/**
 * Who may use the server. Any program and any web page on this machine can reach a loopback port. A page can only do so
 * through a browser, which sends truthful Host and Origin headers; a program would have to guess the token.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const TICKET_MS = 60_000;

export type Redeemed =
  | { readonly token: string }
  /** It was used before: whoever used it then is locked out, because one of the two is not the user. */
  | "used before"
  /** Not one of our tickets, or expired. */
  | "unknown";

export class Guard {
  /** The token in the URL that the user gets. */
  readonly token = secret();
  #ticket: { readonly text: string; readonly until: number } | undefined;
  /** The last ticket that was redeemed, and its token while that is valid. */
  #redeemed: { readonly ticket: string; readonly token: string | undefined } | undefined;

  /** Why a request is refused, whatever its path; undefined if it is not. */
  objection(request: IncomingMessage): string | undefined {
    const own = ownHosts(request.socket.localPort ?? 0);
    const { host, origin } = request.headers;
    // Another host name that resolves to this address means DNS rebinding.
    if (!own.includes(host?.toLowerCase() ?? "")) return "this address is not served here";
    if (origin !== undefined && !own.some(name => origin === `http://${name}`)) return "not from this page";
    return undefined;
  }

  knows(token: string | undefined | null): boolean {
    if (typeof token !== "string") return false;
    const granted = this.#redeemed?.token;
    return equal(token, this.token) || (granted !== undefined && equal(token, granted));
  }

  /** Can be exchanged for a token once, within a minute. */
  issueTicket(): string {
    this.#ticket = { text: secret(), until: Date.now() + TICKET_MS };
    return this.#ticket.text;
  }

  redeem(ticket: string | null): Redeemed {
    if (ticket === null) return "unknown";
    const redeemed = this.#redeemed;
    if (redeemed !== undefined && equal(ticket, redeemed.ticket)) {
      this.#redeemed = { ticket: redeemed.ticket, token: undefined };
      return "used before";
    }
    const issued = this.#ticket;
    if (issued === undefined || !equal(ticket, issued.text)) return "unknown";
    this.#ticket = undefined;
    if (Date.now() >= issued.until) return "unknown";
    const token = secret();
    this.#redeemed = { ticket, token };
    return { token };
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function ownHosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost"];
  // Browsers leave out the default port of http.
  return [...names.map(name => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** Takes constant time: digests have the same length, and nobody can choose their bytes. */
function equal(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
