import type { LineRange } from "../log/tools.js";

/** A Read that was answered with hints. */
export interface SavedRead<What> {
  readonly path: string;
  readonly what: What;
}

/**
 * The Reads that were answered with hints, as long as Claude Code's stub for an unchanged file can only refer to them.
 * A stub means that the file is as when it was last read, whoever read it: an edit, a mention, a notice that the file
 * has changed and a compaction read files too, without a result. When in doubt, a Read is forgotten: then the model
 * gets the stub as it is, and the hints still name lines that it has.
 */
export class HintedReads<What> {
  /** By what they asked for, oldest first. */
  readonly #reads: Map<string, SavedRead<What>>;

  constructor(saved?: ReadonlyMap<string, SavedRead<What>>) {
    this.#reads = new Map(saved);
  }

  get state(): ReadonlyMap<string, SavedRead<What>> {
    return new Map(this.#reads);
  }

  find(path: string, range: LineRange | undefined): What | undefined {
    return this.#reads.get(keyOf(path, range))?.what;
  }

  keep(path: string, range: LineRange | undefined, what: What): void {
    const key = keyOf(path, range);
    this.#reads.delete(key);
    this.#reads.set(key, { path, what });
    const [oldest] = this.#reads.keys();
    if (this.#reads.size > MAX_READS && oldest !== undefined) this.#reads.delete(oldest);
  }

  /** The model has got the text of exactly this Read. */
  forget(path: string, range: LineRange | undefined): void {
    this.#reads.delete(keyOf(path, range));
  }

  /** The file was edited: whatever part of it was read. */
  edited(path: string): void {
    for (const [key, read] of this.#reads) if (read.path === path) this.#reads.delete(key);
  }

  /** Claude Code added something of its own: it may have read any file that is named in there. */
  attached(attachment: unknown): void {
    if (this.#reads.size === 0) return;
    const text = (JSON.stringify(attachment) ?? "").normalize();
    for (const [key, { path }] of this.#reads) if (isNamedIn(text, path)) this.#reads.delete(key);
  }

  /** The context was compacted: recently read files are attached again. */
  clear(): void {
    this.#reads.clear();
  }
}

/** Claude Code remembers about as many files. */
const MAX_READS = 128;

function keyOf(path: string, range: LineRange | undefined): string {
  return `${range} ${path}`;
}

/** The file's name is enough: the path may be written in other ways, such as relative to any folder. */
function isNamedIn(json: string, path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const once = JSON.stringify(name.normalize()).slice(1, -1);
  // Some attachments quote the input of a call, which is JSON within a text.
  return json.includes(once) || json.includes(JSON.stringify(once).slice(1, -1));
}
