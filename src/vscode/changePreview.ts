/** A planned change to a file, in VS Code's diff editor. */
import { basename } from "node:path";
import { commands, type Disposable, type TextDocumentContentProvider, Uri, workspace } from "vscode";
import type { Change } from "../hook/install/installer.js";
import { fill } from "../words/text.js";
import { texts } from "./vscodeStrings.js";

const SCHEME = "dedup-change";

export class ChangePreview implements TextDocumentContentProvider, Disposable {
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
  #change: Change | undefined;

  async show(change: Change): Promise<void> {
    this.#change = change;
    const name = basename(change.file);
    const side = (which: "before" | "after") =>
      Uri.from({ scheme: SCHEME, path: `/${which}/${name}`, query: `${Date.now()}` });
    const title = fill(texts.liveHints.changeTitle, { file: name });
    await commands.executeCommand("vscode.diff", side("before"), side("after"), title);
  }

  provideTextDocumentContent({ path }: Uri): string {
    return (path.startsWith("/before/") ? this.#change?.before : this.#change?.after) ?? "";
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
