/** All documents with text from logs, behind one URI scheme. */
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
import type { CallRef } from "../selectedCall.js";
import { texts } from "../vscodeStrings.js";
import { TranscriptDocuments } from "./documents.js";
import { LogLines } from "./logLineDocuments.js";
import { OpenDocuments } from "./openDocuments.js";
import { TranscriptProviders } from "./providers.js";
import { ResultDiff } from "./resultDiff.js";
import { CallShower } from "./showCall.js";
import { nameOf } from "./uri.js";

const SELECTED_AFTER_MS = 120;

export class Texts implements TextDocumentContentProvider, Disposable {
  readonly #parts = new Disposables();
  readonly #documents: TranscriptDocuments;
  readonly #changed = this.#parts.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;
  readonly comparison: ResultDiff;
  readonly logLines: LogLines;
  readonly calls: CallShower;

  /** `selected` is called when the user moves the cursor to another call of a transcript. */
  constructor(engine: EngineHost, log: LogOutputChannel, selected: (call: CallRef) => void) {
    this.#documents = this.#parts.add(new TranscriptDocuments(engine, log));
    this.comparison = new ResultDiff(engine);
    this.logLines = new LogLines(engine);
    this.#parts.add(this.#documents.onDidChange(uri => this.#changed.fire(uri)));
    this.#parts.add(engine.onDidConfigure(() => this.comparison.forget()));
    this.#parts.add(
      new OpenDocuments(engine, uri => {
        this.comparison.forget();
        // Transcripts update themselves.
        if (nameOf(uri)?.kind !== "transcript") this.#changed.fire(uri);
      }),
    );
    this.calls = this.#parts.add(new CallShower(this.#documents));
    this.#register();
    this.#watchCursor(selected);
  }

  async provideTextDocumentContent(uri: Uri, token: CancellationToken): Promise<string> {
    const name = nameOf(uri);
    switch (name?.kind) {
      case "transcript":
        return this.#documents.text(uri, name, token);
      case "result":
        return this.comparison.text(name);
      case "line":
        return this.logLines.text(name);
      case undefined:
        throw new Error(texts.problems.noDocument);
    }
  }

  /** The call that a call refers to. */
  referenceOf(place: CallRef): Promise<number | undefined> {
    return this.#documents.referenceOf(place);
  }

  /** The call at the cursor in the active transcript, if it has this URI: a click with either button moves the cursor. */
  async callAtCursor(uri?: Uri): Promise<CallRef | undefined> {
    const editor = window.activeTextEditor;
    if (editor === undefined || (uri !== undefined && String(editor.document.uri) !== String(uri))) return undefined;
    return this.#documents.callAt(editor.document, editor.selection.active.line);
  }

  #register(): void {
    const transcripts = { scheme: SCHEME, pattern: "**" };
    const providers = new TranscriptProviders(this.#documents);
    this.#parts.add(workspace.registerTextDocumentContentProvider(SCHEME, this));
    // Before VS Code asks for their links, which it does only once.
    this.#documents.adoptOpen();
    this.#parts.add(languages.registerDocumentLinkProvider(transcripts, providers));
    this.#parts.add(languages.registerDocumentLinkProvider(transcripts, this.logLines));
    this.#parts.add(languages.registerDocumentSymbolProvider(transcripts, providers));
    this.#parts.add(languages.registerFoldingRangeProvider(transcripts, providers));
  }

  #watchCursor(selected: (call: CallRef) => void): void {
    const look = this.#parts.add(
      new Debounced(SELECTED_AFTER_MS, () => {
        const { document, selection } = window.activeTextEditor ?? {};
        if (document === undefined || selection === undefined || nameOf(document.uri)?.kind !== "transcript") return;
        void this.#documents.callAt(document, selection.active.line).then(call => {
          if (call !== undefined) selected(call);
        });
      }),
    );
    this.#parts.add(
      window.onDidChangeTextEditorSelection(move => {
        // If we moved the cursor ourselves, the page already knows, and may have moved on.
        if (move.textEditor.document.uri.scheme === SCHEME && !this.calls.isOwnMove(move)) look.call();
      }),
    );
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
