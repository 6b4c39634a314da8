/** Keeps a session's open documents up to date, and closes them when it is gone. */
import {
  type Disposable,
  type Tab,
  TabInputText,
  TabInputTextDiff,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { SessionChange } from "../../engine/engineMessages.js";
import type { EngineHost } from "../engineHost.js";
import { Disposables } from "../lifecycle.js";
import { nameOf } from "./uri.js";

interface OpenSession {
  readonly documents: Map<string, Uri>;
  readonly watch: Disposable;
}

export class OpenDocuments implements Disposable {
  readonly #engine: EngineHost;
  readonly #changed: (uri: Uri) => void;
  readonly #parts = new Disposables();
  readonly #sessions = new Map<string, OpenSession>();

  /** `changed` is called for each open document whose text is out of date. */
  constructor(engine: EngineHost, changed: (uri: Uri) => void) {
    this.#engine = engine;
    this.#changed = changed;
    this.#parts.add(workspace.onDidOpenTextDocument(document => this.#take(document)));
    this.#parts.add(workspace.onDidCloseTextDocument(document => this.#leave(document)));
    for (const document of workspace.textDocuments) this.#take(document);
  }

  #take({ uri }: TextDocument): void {
    const session = nameOf(uri)?.session;
    if (session === undefined) return;
    const open = this.#sessions.get(session) ?? {
      documents: new Map<string, Uri>(),
      watch: this.#engine.watch(session, change => this.#follow(session, change)),
    };
    this.#sessions.set(session, open);
    open.documents.set(String(uri), uri);
  }

  #leave({ uri }: TextDocument): void {
    const session = nameOf(uri)?.session ?? "";
    const open = this.#sessions.get(session);
    open?.documents.delete(String(uri));
    if (open === undefined || open.documents.size > 0) return;
    open.watch.dispose();
    this.#sessions.delete(session);
  }

  #follow(session: string, change: SessionChange): void {
    // Sessions only grow at the end, and transcripts update themselves.
    if (change === "grown") return;
    for (const uri of this.#sessions.get(session)?.documents.values() ?? []) this.#changed(uri);
    if (change === "gone") void window.tabGroups.close(tabsOf(session), true);
  }

  dispose(): void {
    this.#parts.dispose();
    for (const { watch } of this.#sessions.values()) watch.dispose();
    this.#sessions.clear();
  }
}

function tabsOf(session: string): Tab[] {
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  return tabs.filter(({ input }) => urisOf(input).some(uri => nameOf(uri)?.session === session));
}

function urisOf(input: unknown): Uri[] {
  if (input instanceof TabInputText) return [input.uri];
  return input instanceof TabInputTextDiff ? [input.original, input.modified] : [];
}
