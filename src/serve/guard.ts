/**
 * Who may speak to the server. Any program and any web page on this machine can reach a loopback port: a page only
 * through a browser, which tells its Host and Origin truly; a program only guesses, which the token makes hopeless.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const TICKET_MS = 60_000;

export class Guard {
  readonly token = secret();
  #ticket: { readonly text: string; readonly until: number } | undefined;

  /** Why a request is refused whatever it asks for; undefined where it is ours. */
  objection(request: IncomingMessage): string | undefined {
    const own = ownHosts(request.socket.localPort ?? 0);
    const { host, origin } = request.headers;
    // A name that leads here without being ours is DNS rebinding.
    if (!own.includes(host?.toLowerCase() ?? "")) return "this address is not served here";
    if (origin !== undefined && !own.some(name => origin === `http://${name}`)) return "not from this page";
    return undefined;
  }

  knows(token: string | undefined | null): boolean {
    return typeof token === "string" && equal(token, this.token);
  }

  /**
   * Leads to the token once, within a minute: the command line that opens a browser can be read by other users of the
   * machine, so the token itself must not stand there.
   */
  issueTicket(): string {
    this.#ticket = { text: secret(), until: Date.now() + TICKET_MS };
    return this.#ticket.text;
  }

  redeem(ticket: string | null): boolean {
    const issued = this.#ticket;
    if (issued === undefined || ticket === null || !equal(ticket, issued.text)) return false;
    this.#ticket = undefined;
    return Date.now() < issued.until;
  }
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

function ownHosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost"];
  // Browsers leave out the port that http has anyway.
  return [...names.map(name => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** The time this takes says nothing: digests have one length, and no byte of them can be chosen. */
function equal(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
