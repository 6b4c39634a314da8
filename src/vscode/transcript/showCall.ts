/** Opens the transcript at a call. */
import {
  type Disposable,
  Range,
  type TextEditor,
  TextEditorRevealType,
  type TextEditorSelectionChangeEvent,
  TextEditorSelectionChangeKind,
  ThemeColor,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { Disposables } from "../lifecycle.js";
import type { CallRef } from "../selectedCall.js";
import type { TranscriptDocuments } from "./documents.js";
import { nameOf } from "./uri.js";

const MARKED_MS = 2000;
/** Editors report a moved cursor with a delay. */
const SETTLED_MS = 400;

export interface ShowOptions {
  /** Leaves the focus in the page. */
  readonly preserveFocus: boolean;
  /** Does not cover the active editor. */
  readonly beside: boolean;
}

export class CallShower implements Disposable {
  readonly #documents: TranscriptDocuments;
  readonly #parts = new Disposables();
  /** Highlights the call that was just opened. */
  readonly #mark = this.#parts.add(
    window.createTextEditorDecorationType({
      backgroundColor: new ThemeColor("editor.rangeHighlightBackground"),
      // High contrast themes use a border instead of a background.
      outline: "1px solid",
      outlineColor: new ThemeColor("contrastActiveBorder"),
      isWholeLine: true,
    }),
  );
  #timer: NodeJS.Timeout | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;
  #showing = 0;

  constructor(documents: TranscriptDocuments) {
    this.#documents = documents;
    this.#parts.add({ dispose: () => clearTimeout(this.#timer) });
  }

  /** Whether it was us who moved the cursor. Keys and the mouse are always the user's, however soon they follow. */
  isOwnMove({ kind }: TextEditorSelectionChangeEvent): boolean {
    if (kind === TextEditorSelectionChangeKind.Keyboard || kind === TextEditorSelectionChangeKind.Mouse) return false;
    return this.#showing > 0 || performance.now() - this.#shownAt < SETTLED_MS;
  }

  async show(place: CallRef, options: ShowOptions): Promise<void> {
    this.#showing++;
    try {
      await this.#show(place, options);
    } finally {
      this.#showing--;
      this.#shownAt = performance.now();
    }
  }

  async #show(place: CallRef, { preserveFocus, beside }: ShowOptions): Promise<void> {
    const uri = await this.#documents.uriFor(place);
    const document = await workspace.openTextDocument(uri);
    const line = await this.#documents.lineOf(uri, place.row);
    const head = new Range(line, 0, line, 0);
    const editor = await window.showTextDocument(document, {
      viewColumn: columnOfTranscripts() ?? (beside ? ViewColumn.Beside : ViewColumn.Active),
      selection: head,
      preserveFocus,
    });
    editor.revealRange(head, TextEditorRevealType.AtTop);
    this.#flash(editor, head);
  }

  #flash(editor: TextEditor, range: Range): void {
    clearTimeout(this.#timer);
    editor.setDecorations(this.#mark, [range]);
    this.#timer = setTimeout(() => editor.setDecorations(this.#mark, []), MARKED_MS);
  }

  dispose(): void {
    this.#parts.dispose();
  }
}

/** The column of a visible transcript, where the next one opens too. */
function columnOfTranscripts(): ViewColumn | undefined {
  return window.visibleTextEditors.find(({ document }) => nameOf(document.uri)?.kind === "transcript")?.viewColumn;
}
