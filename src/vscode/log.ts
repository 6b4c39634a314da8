/** What went on, for those who want to know: never a pop-up unless the user has asked for something that failed. */
import { type LogOutputChannel, window } from "vscode";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import { texts } from "./strings.js";

export function createLog(): LogOutputChannel {
  return window.createOutputChannel(texts.name, { log: true });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A thing that the user has started did not work: one line, and the whole story in the log. */
export function tellFailure(log: LogOutputChannel, what: string, error: unknown): void {
  log.error(what, error instanceof Error ? (error.stack ?? error.message) : String(error));
  void window.showErrorMessage(fill(strings.app.failed, { what, why: messageOf(error) }));
}
