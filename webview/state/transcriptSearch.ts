import { signal } from "@preact/signals";
import { messageOf } from "../../src/protocol/channel.js";
import type { Ask, FoundCall, PageRequests } from "../../src/protocol/requests.js";

export type SearchState =
  | { readonly kind: "idle" | "none" }
  | { readonly kind: "looking" | "found"; readonly row: number }
  | { readonly kind: "failed"; readonly why: string };

type AskFind = (ask: Ask<PageRequests, "find">) => Promise<FoundCall>;

const IDLE: SearchState = { kind: "idle" };

/** Searches the calls for a text, from the current one and wrapping around. A new search cancels the previous one. */
export class TranscriptSearch {
  readonly #ask: AskFind;
  readonly state = signal<SearchState>(IDLE);
  #searches = 0;

  constructor(ask: AskFind) {
    this.#ask = ask;
  }

  forget(): void {
    this.#searches++;
    this.state.value = IDLE;
  }

  /** The row of the next call that contains the text after `from`, in either direction; undefined if there is none. */
  async find(text: string, from: number, step: 1 | -1, rows: number): Promise<number | undefined> {
    const search = ++this.#searches;
    if (text === "" || rows === 0) return void this.forget();
    try {
      const found = await this.#findFrom(text, from + step, step, rows, search);
      if (search !== this.#searches) return undefined;
      this.state.value = found === undefined ? { kind: "none" } : { kind: "found", row: found };
      return found;
    } catch (error) {
      if (search === this.#searches) this.state.value = { kind: "failed", why: messageOf(error) };
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
        const found: FoundCall = await this.#ask({ method: "find", text, fromRow: next, step });
        if (found.row !== null) return found.row;
        next = found.next !== null && found.next >= 0 && found.next < rows ? found.next : null;
      }
    }
    return undefined;
  }
}
