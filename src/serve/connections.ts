/**
 * Open connections. Anybody on the machine can connect, so a connection counts as a stranger's until a request on it
 * has presented the token. The number of strangers is limited, so that they cost little and block nobody: a new one
 * replaces the oldest.
 */
import type { Socket } from "node:net";

export class Connections {
  readonly #maxStrangers: number;
  /** In the order in which they connected. */
  readonly #strangers = new Set<Socket>();
  /** Those with a request that has not been fully answered. */
  readonly #busy = new WeakSet<Socket>();

  constructor(maxStrangers: number) {
    this.#maxStrangers = maxStrangers;
  }

  add(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once("close", () => this.#strangers.delete(socket));
    const [oldest = socket] = this.#strangers;
    if (this.#strangers.size <= this.#maxStrangers) return;
    this.#strangers.delete(oldest);
    oldest.destroy();
  }

  /** A request on this connection has presented the token. */
  trust(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  /**
   * A request begins; false if it must not be answered. No browser sends a second request before the first is answered,
   * and anybody could fill memory with queued responses, so a connection that does so is closed.
   */
  begin(socket: Socket): boolean {
    if (socket.destroyed) return false;
    if (this.#busy.has(socket)) {
      socket.destroy();
      return false;
    }
    this.#busy.add(socket);
    return true;
  }

  /** The request has been answered, or never will be. */
  finish(socket: Socket): void {
    this.#busy.delete(socket);
  }
}
