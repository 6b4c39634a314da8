/** One line of a log, pretty-printed. The log itself is not opened: it may be too large for an editor. */
import { basename } from "node:path";
import { DocumentLink, type DocumentLinkProvider, Range, type TextDocument, Uri, window, workspace } from "vscode";
import type { LogLineText } from "../../protocol/requests.js";
import { fill } from "../../words/text.js";
import type { EngineHost } from "../engineHost.js";
import type { CallRef } from "../selectedCall.js";
import { texts } from "../vscodeStrings.js";
import { type LogLineName, nameOf, uriOf } from "./uri.js";

export class LogLines implements DocumentLinkProvider {
  readonly #engine: EngineHost;

  constructor(engine: EngineHost) {
    this.#engine = engine;
  }

  async show(place: CallRef, preserveFocus: boolean): Promise<void> {
    const { file, line } = await this.#ask(place);
    // The file extension makes it JSON with comments, because the header is a comment.
    const label = `${fill(texts.logLine.label, { file: basename(file, ".jsonl"), line: String(line) })}.jsonc`;
    const document = await workspace.openTextDocument(uriOf({ kind: "line", ...place }, label));
    await window.showTextDocument(document, { preserveFocus });
  }

  async text({ session, context, row }: LogLineName): Promise<string> {
    const { file, line, text } = await this.#ask({ session, context, row });
    return `${fill(texts.logLine.header, { file, line: String(line) })}\n${text}\n`;
  }

  /** The header links to the log; VS Code decides whether it opens a file of that size. */
  async provideDocumentLinks(document: TextDocument): Promise<DocumentLink[]> {
    const name = nameOf(document.uri);
    if (name?.kind !== "line") return [];
    const { file, line } = await this.#ask(name);
    const start = document.lineAt(0).text.indexOf(file);
    if (start < 0) return [];
    const target = Uri.file(file).with({ fragment: `L${line}` });
    const link = new DocumentLink(new Range(0, start, 0, start + file.length), target);
    link.tooltip = texts.logLine.open;
    return [link];
  }

  #ask(call: CallRef): Promise<LogLineText> {
    return this.#engine.askAbout(call, { method: "logLine", row: call.row });
  }
}
