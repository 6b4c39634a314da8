import { signal } from "@preact/signals";
import type { Ask, FoundCall } from "../../src/protocol/messages.js";

export type SearchState =
  | { readonly kind: "idle" | "none" }
  | { readonly kind: "looking" | "found"; readonly row: number }
  | { readonly kind: "failed"; readonly why: string };

const IDLE: SearchState = { kind: "idle" };

/** Looks for a text call by call, from where one is, once around. A newer search ends the one before. */
export class TranscriptSearch {
  readonly #ask: (ask: Ask) => Promise<unknown>;
  readonly state = signal<SearchState>(IDLE);
  #searches = 0;

  constructor(ask: (ask: Ask) => Promise<unknown>) {
    this.#ask = ask;
  }

  forget(): void {
    this.#searches++;
    this.state.value = IDLE;
  }

  /** The row of the next call with the text after `from`, in either direction; undefined where there is none. */
  async find(text: string, from: number, step: 1 | -1, rows: number): Promise<number | undefined> {
    const search = ++this.#searches;
    if (text === "" || rows === 0) return void this.forget();
    try {
      const found = await this.#findFrom(text, from + step, step, rows, search);
      if (search !== this.#searches) return undefined;
      this.state.value = found === undefined ? { kind: "none" } : { kind: "found", row: found };
      return found;
    } catch (error) {
      if (search === this.#searches) this.state.value = { kind: "failed", why: (error as Error).message };
      return undefined;
    }
  }

  async #findFrom(text: string, from: number, step: 1 | -1, rows: number, search: number): Promise<number | undefined> {
    const start = step > 0 ? 0 : rows - 1;
    let next: number | null = from >= 0 && from < rows ? from : null;
    for (let around = next === null ? 1 : 0; around < 2; around++) {
      next ??= start;
      while (next !== null && search === this.#searches) {
        this.state.value = { kind: "looking", row: next };
        const found = (await this.#ask({ method: "find", text, fromRow: next, step })) as FoundCall;
        if (found.row !== null) return found.row;
        next = found.next !== null && found.next >= 0 && found.next < rows ? found.next : null;
      }
    }
    return undefined;
  }
}
