/** Readers in use. One that nobody needs any more is kept for a moment: the next command is often about the same. */
import type { Disposable } from "vscode";
import type { EngineHost } from "../engineHost.js";
import type { Looked } from "../place.js";
import { ContextReader } from "./contextReader.js";

const KEPT_MS = 15_000;

interface Used {
  readonly reader: ContextReader;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

export interface ReaderLease extends Disposable {
  readonly reader: ContextReader;
}

export class Readers implements Disposable {
  readonly #engine: EngineHost;
  readonly #used = new Map<string, Used>();

  constructor(engine: EngineHost) {
    this.#engine = engine;
  }

  /** The reader is live until the lease ends. */
  lease({ session, context }: Looked): ReaderLease {
    const key = JSON.stringify([session, context]);
    let used = this.#used.get(key);
    if (used === undefined) {
      used = { reader: new ContextReader(this.#engine, { session, context }), users: 0, timer: undefined };
      this.#used.set(key, used);
    }
    clearTimeout(used.timer);
    used.users++;
    const { reader } = used;
    let ended = false;
    return {
      reader,
      dispose: () => {
        if (!ended) this.#release(key);
        ended = true;
      },
    };
  }

  /** Looks something up and lets go. */
  async read<T>(looked: Looked, look: (reader: ContextReader) => T): Promise<T> {
    const lease = this.lease(looked);
    try {
      await lease.reader.ready;
      return look(lease.reader);
    } finally {
      lease.dispose();
    }
  }

  #release(key: string): void {
    const used = this.#used.get(key);
    if (used === undefined || --used.users > 0) return;
    used.timer = setTimeout(() => {
      this.#used.delete(key);
      used.reader.dispose();
    }, KEPT_MS);
  }

  dispose(): void {
    for (const { reader, timer } of this.#used.values()) {
      clearTimeout(timer);
      reader.dispose();
    }
    this.#used.clear();
  }
}
