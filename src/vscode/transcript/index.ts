/** Everything that is shown of a log as text, behind one scheme. */
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  type LogOutputChannel,
  languages,
  type TextDocumentContentProvider,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { EngineHost } from "../engineHost.js";
import { SCHEME } from "../ids.js";
import { Debounced, Disposables } from "../lifecycle.js";
import type { CallPlace } from "../place.js";
import { texts } from "../strings.js";
import { Comparison } from "./comparison.js";
import { TranscriptDocuments } from "./documents.js";
import { LogLines } from "./logLine.js";
import { OpenDocuments } from "./openDocuments.js";
import { TranscriptProviders } from "./providers.js";
import { CallShower } from "./showCall.js";
import { nameOf } from "./uri.js";

const POINTED_AFTER_MS = 120;

export class Texts implements TextDocumentContentProvider, Disposable {
  readonly #parts = new Disposables();
  readonly #documents: TranscriptDocuments;
  readonly #changed = this.#parts.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;
  readonly comparison: Comparison;
  readonly logLines: LogLines;
  readonly calls: CallShower;

  /** `pointed` is told when the user puts the cursor into another call of a transcript. */
  constructor(engine: EngineHost, log: LogOutputChannel, pointed: (place: CallPlace) => void) {
    this.#documents = this.#parts.add(new TranscriptDocuments(engine, log));
    this.comparison = new Comparison(engine);
    this.logLines = new LogLines(engine);
    this.#parts.add(this.#documents.onDidChange(uri => this.#changed.fire(uri)));
    this.#parts.add(engine.onDidConfigure(() => this.comparison.forget()));
    this.#parts.add(
      new OpenDocuments(engine, uri => {
        this.comparison.forget();
        // Transcripts follow their session themselves, line by line.
        if (nameOf(uri)?.kind !== "transcript") this.#changed.fire(uri);
      }),
    );
    this.calls = this.#parts.add(new CallShower(this.#documents));
    this.#register();
    this.#watchCursor(pointed);
  }

  async provideTextDocumentContent(uri: Uri, token: CancellationToken): Promise<string> {
    const name = nameOf(uri);
    if (name?.kind === "transcript") return this.#documents.text(uri, name, token);
    if (name?.kind === "result") return this.comparison.text(name);
    if (name?.kind === "line") return this.logLines.text(name);
    throw new Error(texts.problems.noDocument);
  }

  /** The call that a call refers to. */
  referenceOf(place: CallPlace): Promise<number | undefined> {
    return this.#documents.referenceOf(place);
  }

  /** The call that the cursor is in, in the transcript with this name: a click of either button puts it there. */
  async callAtCursor(uri: Uri): Promise<CallPlace | undefined> {
    const editor = window.activeTextEditor;
    if (editor === undefined || String(editor.document.uri) !== String(uri)) return undefined;
    return this.#documents.callAt(editor.document, editor.selection.active.line);
  }

  #register(): void {
    const transcripts = { scheme: SCHEME, pattern: "**" };
    const providers = new TranscriptProviders(this.#documents);
    this.#parts.add(workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#parts.add(languages.registerDocumentLinkProvider(transcripts, providers));
    this.#parts.add(languages.registerDocumentLinkProvider(transcripts, this.logLines));
    this.#parts.add(languages.registerDocumentSymbolProvider(transcripts, providers));
    this.#parts.add(languages.registerFoldingRangeProvider(transcripts, providers));
  }

  #watchCursor(pointed: (place: CallPlace) => void): void {
    const look = this.#parts.add(
      new Debounced(POINTED_AFTER_MS, () => {
        const { document, selection } = window.activeTextEditor ?? {};
        if (document === undefined || selection === undefined || nameOf(document.uri)?.kind !== "transcript") return;
        void this.#documents.callAt(document, selection.active.line).then(place => {
          if (place !== undefined) pointed(place);
        });
      }),
    );
    this.#parts.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        // Where we have put the cursor ourselves, the page knows already, and may be further on.
        if (textEditor.document.uri.scheme === SCHEME && !this.calls.isShowing) look.call();
      }),
    );
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
