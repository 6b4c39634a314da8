/** One page: validates its webview's messages, passes them to the engine or handles them, and posts the answers. */
import { existsSync } from "node:fs";
import {
  type Disposable,
  EventEmitter,
  env,
  type LogOutputChannel,
  l10n,
  type Memento,
  Uri,
  type Webview,
} from "vscode";
import { replyTo } from "../protocol/channel.js";
import type { PageRequest, PanelDelta, PanelMessage, ToPage } from "../protocol/messages.js";
import type { Ask, ContextRef, HostRequests } from "../protocol/requests.js";
import { isForHost, refusalOf, toHostMessage } from "../protocol/validate.js";
import type { EngineHost, EngineLink } from "./engineHost.js";
import { pageHtml } from "./html.js";
import { MEMORY } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import { Outbox } from "./outbox.js";
import { type CallRef, type SelectedCall, sameContext } from "./selectedCall.js";
import { texts } from "./vscodeStrings.js";

/** What a page needs from the extension. */
export interface PageServices {
  readonly engine: EngineHost;
  readonly log: LogOutputChannel;
  readonly dist: Uri;
  /** Remembered for the workspace. */
  readonly memory: Memento;
  readonly followsLive: () => boolean;
  /** Does what only the extension can do for a page. */
  perform(page: PageHost, ask: Ask<HostRequests>): Promise<unknown>;
  readonly selection: SelectedCall;
}

interface Remembered extends ContextRef {
  readonly following: boolean;
}

/** Where a page is. */
export interface PagePlace {
  readonly kind: "view" | "editor";
  readonly webview: Webview;
  /** Brings it to the front. */
  show(): void;
}

export class PageHost implements Disposable {
  readonly kind: PagePlace["kind"];
  readonly show: PagePlace["show"];
  readonly #outbox: Outbox;
  readonly #services: PageServices;
  readonly #memoryKey: string;
  readonly #link: EngineLink;
  readonly #parts = new Disposables();
  readonly #used = this.#parts.add(new EventEmitter<void>());
  /** The user has done something in the page. */
  readonly onDidUse = this.#used.event;
  #shownContext: ContextRef | undefined;
  /** The call last selected here. */
  #selected: CallRef | undefined;
  #following = true;
  /** Sent once the page has loaded. */
  #first: PanelMessage | undefined;
  #isNew = true;
  #isDisposed = false;
  #snapshots = 0;
  #deltas = 0;

  constructor({ kind, webview, show }: PagePlace, services: PageServices) {
    this.kind = kind;
    this.show = show;
    this.#outbox = new Outbox(webview);
    this.#services = services;
    this.#memoryKey = MEMORY[kind];
    this.#link = services.engine.connect(message => this.#post(message));
    this.#parts.add({ dispose: () => this.#link.close() });
    this.#parts.add(webview.onDidReceiveMessage((raw: unknown) => this.#take(raw)));
    webview.options = { enableScripts: true, localResourceRoots: [services.dist] };
    webview.html = pageHtml({
      source: webview.cspSource,
      script: String(webview.asWebviewUri(Uri.joinPath(services.dist, "webview.js"))),
      style: String(webview.asWebviewUri(Uri.joinPath(services.dist, "webview.css"))),
      title: texts.name,
      language: env.language,
      translations: l10n.bundle,
    });
  }

  get shownContext(): ContextRef | undefined {
    return this.#shownContext;
  }

  /** For tests: what the page has been sent. */
  get sent(): { readonly snapshots: number; readonly deltas: number } {
    return { snapshots: this.#snapshots, deltas: this.#deltas };
  }

  /** Whether the page switches to the next live session automatically. */
  get following(): boolean {
    return this.#following;
  }

  /** A page that is still loading shows it once it is ready. */
  select(session: string, context?: string, following?: boolean): void {
    const more = { ...(context !== undefined && { context }), ...(following !== undefined && { following }) };
    this.#steer({ type: "select", session, ...more });
  }

  follow(on: boolean): void {
    this.#steer({ type: "follow", on });
  }

  reveal(row: number): void {
    this.#post({ type: "reveal", row });
  }

  /** VS Code discards a hidden page without notifying it, so the engine is notified here. */
  hidden(): void {
    this.#link.send({ type: "hidden" });
  }

  #steer(message: PanelMessage): void {
    if (this.#isNew) this.#first = message;
    else this.#link.send(message);
  }

  #take(raw: unknown): void {
    const message = toHostMessage(raw);
    if (message === undefined) return this.#refuse(raw);
    switch (message.type) {
      case "ready":
        this.#outbox.clear();
        if (this.#isNew) this.#begin();
        return this.#link.send(message);
      case "hidden":
        return this.#link.send(message);
      case "select":
      case "follow":
        this.#used.fire();
        return this.#link.send(message);
      case "selected":
        return message.restored ? this.#restored(message.row) : this.#select(message.row);
      case "request":
        this.#used.fire();
        return this.#answer(message);
      default:
        message satisfies never;
    }
  }

  #refuse(raw: unknown): void {
    this.#services.log.warn("the page sent an unknown message");
    const refusal = refusalOf(raw);
    if (refusal !== undefined) this.#post(refusal);
  }

  #answer({ id, ask }: PageRequest): void {
    if (!isForHost(ask)) return this.#link.send({ type: "request", id, ask });
    if ("row" in ask) this.#select(ask.row);
    void replyTo(id, () => this.#services.perform(this, ask)).then(reply => this.#post(reply));
  }

  /** The page itself remembers the selected call, but its session is selected before the first snapshot. */
  #begin(): void {
    this.#isNew = false;
    const remembered = this.#services.memory.get<Remembered>(this.#memoryKey);
    if (this.#first !== undefined) this.#link.send(this.#first);
    else if (remembered?.following === false && existsSync(remembered.session)) {
      this.#link.send({ type: "select", session: remembered.session, context: remembered.context });
    } else if (!this.#services.followsLive()) this.#link.send({ type: "follow", on: false });
  }

  /** The user has selected a call, or cleared the selection. */
  #select(row: number | null): void {
    if (this.#shownContext === undefined) return;
    if (row === null) return this.#services.selection.clear(this.#shownContext);
    this.#selected = { ...this.#shownContext, row };
    this.#services.selection.set(this.#selected);
  }

  #restored(row: number | null): void {
    if (this.#shownContext === undefined || row === null) return;
    const call = { ...this.#shownContext, row };
    if (this.#services.selection.restore(call, this.#selected)) this.#selected = call;
  }

  #post(message: ToPage): void {
    if (this.#isDisposed) return;
    if (message.type === "snapshot") {
      this.#snapshots++;
      this.#noteShown(message.state);
    } else if (message.type === "delta") {
      this.#deltas++;
      this.#noteShown(message.delta);
    }
    this.#outbox.post(message);
  }

  #noteShown({ selected, following }: Pick<PanelDelta, "selected" | "following">): void {
    if (selected === undefined && following === undefined) return;
    if (selected !== undefined) {
      if (selected === null || !sameContext(this.#shownContext, selected))
        this.#services.selection.forget(this.#selected);
      this.#shownContext = selected ?? undefined;
    }
    if (following !== undefined) this.#following = following;
    if (this.#shownContext === undefined) return;
    const now: Remembered = { ...this.#shownContext, following: this.#following };
    const before = this.#services.memory.get<Remembered>(this.#memoryKey);
    if (JSON.stringify(before) !== JSON.stringify(now)) void this.#services.memory.update(this.#memoryKey, now);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#parts.dispose();
  }
}
