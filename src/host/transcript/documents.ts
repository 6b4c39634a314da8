/** Transcripts as documents: written when they are opened, and again when their session grows while they are open. */
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
  workspace,
} from "vscode";
import type { CallDetails, TranscriptPart } from "../../protocol/messages.js";
import type { EngineHost } from "../engineHost.js";
import { Debounced, Disposables } from "../lifecycle.js";
import { messageOf } from "../log.js";
import type { CallPlace, Looked } from "../place.js";
import { texts } from "../strings.js";
import type { ContextReader } from "./contextReader.js";
import type { ReaderLease, Readers } from "./readers.js";
import { type Transcript, TranscriptWriter } from "./render.js";
import { nameOf, type TranscriptName, uriOf } from "./uri.js";
import { stretchAt, stretchesOf } from "./windows.js";

/** A document that changes with every line of a busy session cannot be read. */
const REWRITE_AFTER_MS = 400;
/** Calls are fetched in pieces, so that no single message is long in the making. */
const PIECE = 50;
const UNOPENED_MS = 30_000;

interface OpenTranscript {
  readonly lease: ReaderLease;
  readonly details: Map<number, CallDetails>;
  readonly parts: Disposables;
  written: Transcript | undefined;
  writing: Promise<Transcript> | undefined;
}

export class TranscriptDocuments implements Disposable {
  readonly #engine: EngineHost;
  readonly #readers: Readers;
  readonly #log: LogOutputChannel;
  readonly #parts = new Disposables();
  readonly #changed = this.#parts.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #open = new Map<string, OpenTranscript>();
  /** A title may come late in a session, but a document's name must not change. */
  readonly #labels = new Map<string, string>();

  constructor(engine: EngineHost, readers: Readers, log: LogOutputChannel) {
    this.#engine = engine;
    this.#readers = readers;
    this.#log = log;
    this.#parts.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(String(uri))));
  }

  /** The document that holds a call, or the last one of its context. */
  async uriFor({ session, context, row }: CallPlace): Promise<Uri> {
    return this.#readers.read({ session, context }, reader => {
      if (reader.context === undefined) throw new Error(texts.problems.noContext);
      const stretches = stretchesOf(reader.context.rows);
      const from = stretches[stretchAt(stretches, row)]?.from ?? 0;
      return uriOf({ kind: "transcript", session, context, from }, this.#label(reader, from));
    });
  }

  async text(uri: Uri, name: TranscriptName, token: CancellationToken): Promise<string> {
    try {
      return (await this.#write(uri, name)).text;
    } finally {
      if (token.isCancellationRequested) this.#forget(String(uri));
    }
  }

  /** What is where in a document; undefined where the document shows another state than the newest. */
  async of(document: TextDocument): Promise<Transcript | undefined> {
    const open = this.#open.get(String(document.uri));
    const written = open?.written ?? (await open?.writing);
    return written?.lineCount === document.lineCount ? written : undefined;
  }

  /** The line of a call in the document that holds it. */
  async lineOf(uri: Uri, row: number): Promise<number> {
    const name = nameOf(uri);
    if (name?.kind !== "transcript") return 0;
    const known = this.#open.get(String(uri))?.written;
    const { partitions } = known ?? (await this.#write(uri, name));
    if (known === undefined) this.#forgetUnlessOpened(uri);
    return partitions.flatMap(({ calls }) => calls).find(call => call.row === row)?.line ?? 0;
  }

  /** The call at a line; undefined above the first one. */
  async callAt(document: TextDocument, line: number): Promise<CallPlace | undefined> {
    const name = nameOf(document.uri);
    if (name?.kind !== "transcript") return undefined;
    const calls = (await this.of(document))?.partitions.flatMap(partition => partition.calls) ?? [];
    const call = calls.findLast(one => one.line <= line);
    return call && { session: name.session, context: name.context, row: call.row };
  }

  async #write(uri: Uri, name: TranscriptName): Promise<Transcript> {
    const open = this.#open.get(String(uri)) ?? this.#take(uri, name);
    open.writing ??= this.#render(open, name).finally(() => {
      open.writing = undefined;
    });
    return open.writing;
  }

  #take(uri: Uri, { session, context }: Looked): OpenTranscript {
    const lease = this.#readers.lease({ session, context });
    const parts = new Disposables();
    const open: OpenTranscript = { lease, parts, details: new Map(), written: undefined, writing: undefined };
    // A text that is being written is of the state before.
    const tell = () => void Promise.allSettled([open.writing]).then(() => this.#changed.fire(uri));
    const rewrite = parts.add(new Debounced(REWRITE_AFTER_MS, tell));
    parts.add(lease);
    parts.add(
      lease.reader.onDidChange(change => {
        if (change === "anew") open.details.clear();
        rewrite.call();
      }),
    );
    this.#open.set(String(uri), open);
    return open;
  }

  async #render(open: OpenTranscript, { from }: TranscriptName): Promise<Transcript> {
    const { reader } = open.lease;
    await reader.ready;
    const { context } = reader;
    if (context === undefined) throw new Error(texts.problems.noContext);
    const stretches = stretchesOf(context.rows);
    const index = stretchAt(stretches, from);
    const { title, contextId, capacity } = reader;
    const { file } = reader;
    const details = (row: number) => open.details.get(row);
    const writer = new TranscriptWriter({ context, file, title, contextId, capacity, stretches, index, details });
    const { from: first, to } = stretches[index] ?? { from: 0, to: 0 };
    for (let row = first; row < to; row += PIECE) {
      await this.#fetch(open, row, Math.min(row + PIECE, to));
      writer.writeUpTo(Math.min(row + PIECE, to));
    }
    open.written = writer.finish();
    return open.written;
  }

  /** Texts of a log do not change: only those that are not there yet are asked for. */
  async #fetch(open: OpenTranscript, from: number, to: number): Promise<void> {
    let row = from;
    while (row < to && open.details.has(row)) row++;
    if (row === to) return;
    const { looked } = open.lease.reader;
    const part = await this.#engine
      .ask({ name: "transcript", ...looked, fromRow: row, count: to - row })
      .catch((error: unknown) => {
        this.#log.warn(`calls ${row + 1} to ${to} could not be read: ${messageOf(error)}`);
        return { calls: [] };
      });
    for (const call of (part as TranscriptPart).calls) open.details.set(call.row, call);
  }

  #label(reader: ContextReader, from: number): string {
    const { session, context } = reader.looked;
    const key = JSON.stringify([session, context]);
    const title = reader.title || session.replace(/^.*[\\/]|\.jsonl$/g, "").slice(0, 8);
    const label = this.#labels.get(key) ?? (reader.contextId === "main" ? title : `${title} · ${reader.contextId}`);
    this.#labels.set(key, label);
    return from === 0 ? label : `${label} · ${from + 1}+`;
  }

  /** It was written to find a line; as a rule it is opened next. */
  #forgetUnlessOpened(uri: Uri): void {
    const key = String(uri);
    const timer = setTimeout(() => {
      if (!workspace.textDocuments.some(document => String(document.uri) === key)) this.#forget(key);
    }, UNOPENED_MS);
    this.#open.get(key)?.parts.add({ dispose: () => clearTimeout(timer) });
  }

  #forget(key: string): void {
    this.#open.get(key)?.parts.dispose();
    this.#open.delete(key);
  }

  dispose(): void {
    for (const key of [...this.#open.keys()]) this.#forget(key);
    this.#parts.dispose();
  }
}
