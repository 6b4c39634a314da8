/** Transcripts as documents: written when opened, and rewritten whenever their session grows. */
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  type TextDocument,
  type Uri,
  workspace,
} from "vscode";
import { messageOf } from "../../protocol/channel.js";
import type { CallDetails, ContextRef, ContextStretch } from "../../protocol/requests.js";
import { otherCall } from "../../words/outcomeTexts.js";
import { visible } from "../../words/text.js";
import type { EngineHost } from "../engineHost.js";
import { Debounced, Disposables } from "../lifecycle.js";
import type { CallRef } from "../selectedCall.js";
import { texts } from "../vscodeStrings.js";
import { failedTranscript, type Transcript, TranscriptWriter } from "./render.js";
import { StretchContext } from "./stretchContext.js";
import { nameOf, type TranscriptName, uriOf } from "./uri.js";

/** Nobody can read a document that changes with every line of a busy session. */
const REWRITE_AFTER_MS = 400;
/** Calls are fetched in batches, so that no single message takes long. */
const BATCH = 50;
const UNOPENED_MS = 30_000;
/** Leaves room for what follows it in a tab. */
const MAX_TITLE = 48;

interface OpenTranscript {
  readonly details: Map<number, CallDetails>;
  /** Why calls could not be read last time. */
  readonly unread: Map<number, string>;
  readonly parts: Disposables;
  written: Transcript | undefined;
  writing: Promise<Transcript> | undefined;
}

export class TranscriptDocuments implements Disposable {
  readonly #engine: EngineHost;
  readonly #log: LogOutputChannel;
  readonly #parts = new Disposables();
  readonly #changed = this.#parts.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #open = new Map<string, OpenTranscript>();
  /** A title may come late in a session, but a document's name must not change. */
  readonly #labels = new Map<string, string>();

  constructor(engine: EngineHost, log: LogOutputChannel) {
    this.#engine = engine;
    this.#log = log;
    this.#parts.add(workspace.onDidOpenTextDocument(document => this.#adopt(document)));
    this.#parts.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(String(uri))));
  }

  /** To be called once VS Code can ask for texts: it keeps the open ones when extensions are restarted. */
  adoptOpen(): void {
    for (const document of workspace.textDocuments) this.#adopt(document);
  }

  /** The document that contains a call, or the last one of its context. */
  async uriFor(place: CallRef): Promise<Uri> {
    const { session, context } = place;
    const { stretch } = await this.#read(place);
    return uriOf({ kind: "transcript", session, context, from: stretch.from }, this.#label(place, stretch));
  }

  /** The call that a call refers to. */
  async referenceOf(place: CallRef): Promise<number | undefined> {
    return otherCall(await this.#read(place), place.row);
  }

  /** Makes VS Code read a document again. */
  rewrite(uri: Uri): void {
    this.#changed.fire(uri);
  }

  async text(uri: Uri, name: TranscriptName, token: CancellationToken): Promise<string> {
    try {
      return (await this.#write(uri, name)).text;
    } finally {
      if (token.isCancellationRequested) this.#forget(String(uri));
    }
  }

  /** The positions in a document; undefined if the document is stale. */
  async of(document: TextDocument): Promise<Transcript | undefined> {
    const open = this.#open.get(String(document.uri));
    const written = open?.written ?? (await open?.writing);
    return written?.lineCount === document.lineCount ? written : undefined;
  }

  /** The line of a call in its document. */
  async lineOf(uri: Uri, row: number): Promise<number> {
    const name = nameOf(uri);
    if (name?.kind !== "transcript") return 0;
    const known = this.#open.get(String(uri))?.written;
    const { partitions } = known ?? (await this.#write(uri, name));
    if (known === undefined) this.#forgetUnlessOpened(uri);
    return partitions.flatMap(({ calls }) => calls).find(call => call.row === row)?.line ?? 0;
  }

  /** The call at a line; undefined above the first one. */
  async callAt(document: TextDocument, line: number): Promise<CallRef | undefined> {
    const name = nameOf(document.uri);
    if (name?.kind !== "transcript") return undefined;
    const calls = (await this.of(document))?.partitions.flatMap(partition => partition.calls) ?? [];
    const call = calls.findLast(one => one.line <= line);
    return call && { session: name.session, context: name.context, row: call.row };
  }

  /** VS Code does not ask again for a text that it has kept, such as after a change of its language. */
  #adopt({ uri }: TextDocument): void {
    if (nameOf(uri)?.kind === "transcript" && !this.#open.has(String(uri))) this.rewrite(uri);
  }

  async #write(uri: Uri, name: TranscriptName): Promise<Transcript> {
    const open = this.#open.get(String(uri)) ?? this.#take(uri, name);
    open.writing ??= this.#render(open, name).finally(() => {
      open.writing = undefined;
    });
    return open.writing;
  }

  #take(uri: Uri, { session }: ContextRef): OpenTranscript {
    const parts = new Disposables();
    const open: OpenTranscript = {
      parts,
      details: new Map(),
      unread: new Map(),
      written: undefined,
      writing: undefined,
    };
    // A text that is being written shows the previous state.
    const tell = () => void Promise.allSettled([open.writing]).then(() => this.#changed.fire(uri));
    const rewrite = parts.add(new Debounced(REWRITE_AFTER_MS, tell));
    parts.add(
      this.#engine.watch(session, change => {
        if (change !== "grown") open.details.clear();
        rewrite.call();
      }),
    );
    this.#open.set(String(uri), open);
    return open;
  }

  /** Where something cannot be read, the text says why, with a link to try again. */
  async #render(open: OpenTranscript, name: TranscriptName): Promise<Transcript> {
    open.unread.clear();
    open.written = await this.#renderAll(open, name).catch((error: unknown) =>
      failedTranscript(fileName(name.session), messageOf(error)),
    );
    return open.written;
  }

  async #renderAll(open: OpenTranscript, name: TranscriptName): Promise<Transcript> {
    const context = await this.#read({ ...name, row: name.from });
    const details = (row: number) => {
      const failed = open.unread.get(row);
      return failed === undefined ? open.details.get(row) : { failed };
    };
    const writer = new TranscriptWriter({ context, details });
    const { from, to } = context.stretch;
    for (let row = from; row < to; row += BATCH) {
      await this.#fetch(open, name, row, Math.min(row + BATCH, to));
      writer.writeUpTo(Math.min(row + BATCH, to));
    }
    return writer.finish();
  }

  async #read({ session, context, row }: CallRef): Promise<StretchContext> {
    const stretch = await this.#engine.askAbout({ session, context }, { method: "stretch", row });
    if (stretch === null) throw new Error(texts.problems.noContext);
    return new StretchContext(stretch);
  }

  /** A log's texts do not change: only missing ones are requested. */
  async #fetch(open: OpenTranscript, { session, context }: ContextRef, from: number, to: number): Promise<void> {
    let row = from;
    while (row < to && open.details.has(row)) row++;
    if (row === to) return;
    try {
      const part = { method: "transcript", fromRow: row, count: to - row } as const;
      for (const call of (await this.#engine.askAbout({ session, context }, part)).calls)
        open.details.set(call.row, call);
    } catch (error) {
      this.#log.warn(`could not read calls ${row + 1} to ${to}: ${messageOf(error)}`);
      for (; row < to; row++) open.unread.set(row, messageOf(error));
    }
  }

  #label({ session, context }: ContextRef, { title, contextName, from }: ContextStretch): string {
    const key = JSON.stringify([session, context]);
    const name = title || fileName(session).slice(0, 8);
    const subject = contextName === "main" ? name : `${name} · ${contextName}`;
    // In quotes: titles often begin or end with the name of a file, from which VS Code would guess the language.
    const label = this.#labels.get(key) ?? `“${visible(subject, MAX_TITLE)}”`;
    this.#labels.set(key, label);
    return from === 0 ? label : `${label} · ${from + 1}+`;
  }

  /** Written only to find a line, but usually opened next. */
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

/** The name of a log's file, without its extension. */
function fileName(session: string): string {
  return session.replace(/^.*[\\/]|\.jsonl$/g, "");
}
