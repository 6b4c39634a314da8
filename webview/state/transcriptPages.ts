import { signal } from "@preact/signals";
import { messageOf } from "../../src/protocol/channel.js";
import type { Ask, CallDetails, PageRequests, TranscriptPart } from "../../src/protocol/requests.js";

export const PAGE_SIZE = 20;
/** About 600 calls of a few thousand characters each. */
const MAX_PAGES = 30;

type AskTranscript = (ask: Ask<PageRequests, "transcript">) => Promise<TranscriptPart>;

type Page =
  | { readonly state: "loading"; readonly rows: number }
  | { readonly state: "failed"; readonly rows: number; readonly why: string }
  | { readonly state: "here"; readonly rows: number; readonly calls: ReadonlyMap<number, CallDetails> };

/** The transcript's texts, fetched page by page as they scroll into view. Least recently used pages are evicted. */
export class TranscriptPages {
  readonly #ask: AskTranscript;
  readonly #pages = new Map<number, Page>();
  /** Texts from before the last snapshots, by row, until the page has them again. */
  readonly #old: Map<number, CallDetails> = new Map();
  /** Incremented whenever a page has arrived. */
  readonly version = signal(0);

  /** `before`: of the same conversation under the same settings. */
  constructor(ask: AskTranscript, before?: TranscriptPages) {
    this.#ask = ask;
    if (before === undefined) return;
    const texts = [...before.#pages.values()].flatMap(page => (page.state === "here" ? [...page.calls] : []));
    // The snapshot before may not have been answered yet.
    this.#old = new Map([...before.#old, ...texts].slice(-MAX_PAGES * PAGE_SIZE));
  }

  /** The text of a row, which is the call `id`; requests its page if missing. `rows` is the total number of rows. */
  get(row: number, id: string, rows: number): CallDetails | "loading" | { readonly failed: string } {
    this.version.value;
    const index = Math.floor(row / PAGE_SIZE);
    const expected = Math.min(PAGE_SIZE, rows - index * PAGE_SIZE);
    const page = this.#pages.get(index);
    if (page === undefined || (page.state === "here" && page.rows < expected)) this.#load(index, expected, page);
    if (page?.state === "failed") return { failed: page.why };
    if (page?.state === "here") return page.calls.get(row) ?? "loading";
    const old = this.#old.get(row);
    return old?.id === id ? old : "loading";
  }

  retry(row: number): void {
    this.#pages.delete(Math.floor(row / PAGE_SIZE));
    this.version.value++;
  }

  #load(index: number, rows: number, known: Page | undefined): void {
    // What is already there stays visible while the page grows.
    this.#put(index, known?.state === "here" ? { ...known, rows } : { state: "loading", rows });
    this.#ask({ method: "transcript", fromRow: index * PAGE_SIZE, count: rows }).then(
      ({ calls }) => {
        this.#put(index, { state: "here", rows, calls: new Map(calls.map(call => [call.row, call])) });
        for (const { row } of calls) this.#old.delete(row);
        this.version.value++;
      },
      (error: unknown) => {
        this.#put(index, { state: "failed", rows, why: messageOf(error) });
        this.version.value++;
      },
    );
  }

  /** The most recently used page comes last; the first one is evicted. */
  #put(index: number, page: Page): void {
    this.#pages.delete(index);
    this.#pages.set(index, page);
    if (this.#pages.size <= MAX_PAGES) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}
