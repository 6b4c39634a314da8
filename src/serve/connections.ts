/**
 * Who is connected. Anybody on the machine can connect, so a connection counts as a stranger's until a request on it has
 * shown the token. Strangers cost little and stand in nobody's way: there are only so many of them at a time, and where
 * another one comes, the one that has been there longest goes.
 */
import type { Socket } from "node:net";

export class Connections {
  readonly #maxStrangers: number;
  /** In the order in which they came. */
  readonly #strangers = new Set<Socket>();
  /** Those with a request that has not been answered to the end. */
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

  /** A request on this connection has shown the token. */
  trust(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  /**
   * A request begins; false where it must not be answered. No browser asks again before it has its answer, and answers
   * that queue up are memory that anybody could fill: a connection that does so is ended.
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
