import { signal } from "@preact/signals";
import type { Ask, CallDetails, TranscriptPart } from "../../src/protocol/messages.js";

export const PAGE_SIZE = 20;
/** About 600 calls of a few thousand characters each. */
const MOST_PAGES = 30;

type Page =
  | { readonly state: "loading"; readonly rows: number }
  | { readonly state: "failed"; readonly rows: number; readonly why: string }
  | { readonly state: "here"; readonly rows: number; readonly calls: ReadonlyMap<number, CallDetails> };

/** The transcript's texts, fetched page by page as they come into sight, and forgotten when far away. */
export class TranscriptPages {
  readonly #ask: (ask: Ask) => Promise<unknown>;
  readonly #pages = new Map<number, Page>();
  /** Grows whenever a page has come. */
  readonly version = signal(0);

  constructor(ask: (ask: Ask) => Promise<unknown>) {
    this.#ask = ask;
  }

  /** The text of a row; asks for its page where it is not here. `rows`: how many there are in all. */
  get(row: number, rows: number): CallDetails | "loading" | { readonly failed: string } {
    this.version.value;
    const index = Math.floor(row / PAGE_SIZE);
    const expected = Math.min(PAGE_SIZE, rows - index * PAGE_SIZE);
    const page = this.#pages.get(index);
    if (page === undefined || (page.state === "here" && page.rows < expected)) this.#load(index, expected, page);
    if (page?.state === "failed") return { failed: page.why };
    return (page?.state === "here" && page.calls.get(row)) || "loading";
  }

  retry(row: number): void {
    this.#pages.delete(Math.floor(row / PAGE_SIZE));
    this.version.value++;
  }

  #load(index: number, rows: number, known: Page | undefined): void {
    // What is here stays in sight while the page grows at its end.
    this.#put(index, known?.state === "here" ? { ...known, rows } : { state: "loading", rows });
    this.#ask({ method: "transcript", fromRow: index * PAGE_SIZE, count: rows }).then(
      answer => {
        const { calls } = answer as TranscriptPart;
        this.#put(index, { state: "here", rows, calls: new Map(calls.map(call => [call.row, call])) });
        this.version.value++;
      },
      (error: Error) => {
        this.#put(index, { state: "failed", rows, why: error.message });
        this.version.value++;
      },
    );
  }

  /** The page used last stands last; the first is the one to forget. */
  #put(index: number, page: Page): void {
    this.#pages.delete(index);
    this.#pages.set(index, page);
    if (this.#pages.size <= MOST_PAGES) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}
