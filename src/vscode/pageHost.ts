/** Between one webview and the engine: what the page says is checked and passed on, what the engine says is posted. */
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
import type { Errand } from "../engine/engineMessages.js";
import type { PanelDelta, ToHost, ToPage } from "../protocol/messages.js";
import { toHostMessage } from "../protocol/validate.js";
import type { EngineHost, EngineLink } from "./engineHost.js";
import { pageHtml } from "./html.js";
import { Disposables } from "./lifecycle.js";
import { Outbox } from "./outbox.js";
import type { CallPlace, Looked } from "./place.js";
import { texts } from "./strings.js";

export interface PageWorld {
  readonly engine: EngineHost;
  readonly log: LogOutputChannel;
  readonly dist: Uri;
  /** What is remembered for the workspace. */
  readonly memory: Memento;
  readonly followsLive: () => boolean;
  errand(page: PageHost, errand: Errand): Promise<unknown>;
  /** The page's user has pointed at a result. */
  selected(place: CallPlace): void;
}

interface Remembered extends Looked {
  readonly following: boolean;
}

export class PageHost implements Disposable {
  readonly kind: "view" | "editor";
  readonly #outbox: Outbox;
  readonly #world: PageWorld;
  readonly #memoryKey: string;
  readonly #link: EngineLink;
  readonly #parts = new Disposables();
  readonly #used = this.#parts.add(new EventEmitter<void>());
  /** The user does something in the page. */
  readonly onDidUse = this.#used.event;
  #looksAt: Looked | undefined;
  #following = true;
  #first: ToHost | undefined;
  #isNew = true;
  #snapshots = 0;
  #deltas = 0;

  constructor(kind: "view" | "editor", webview: Webview, world: PageWorld, memoryKey: string) {
    this.kind = kind;
    this.#outbox = new Outbox(webview);
    this.#world = world;
    this.#memoryKey = memoryKey;
    this.#link = world.engine.open({
      take: message => this.#post(message),
      errand: errand => world.errand(this, errand),
    });
    this.#parts.add({ dispose: () => this.#link.close() });
    this.#parts.add(webview.onDidReceiveMessage((raw: unknown) => this.#take(raw)));
    webview.options = { enableScripts: true, localResourceRoots: [world.dist] };
    webview.html = pageHtml({
      source: webview.cspSource,
      script: String(webview.asWebviewUri(Uri.joinPath(world.dist, "webview.js"))),
      style: String(webview.asWebviewUri(Uri.joinPath(world.dist, "webview.css"))),
      title: texts.name,
      language: env.language,
      translations: l10n.bundle,
    });
  }

  get looksAt(): Looked | undefined {
    return this.#looksAt;
  }

  /** For tests: what the page has been told. */
  get told(): { readonly snapshots: number; readonly deltas: number } {
    return { snapshots: this.#snapshots, deltas: this.#deltas };
  }

  /** A page that is still loading takes it up when it is ready. */
  select(session: string): void {
    this.#steer({ type: "select", session });
  }

  follow(on: boolean): void {
    this.#steer({ type: "follow", on });
  }

  reveal(row: number): void {
    this.#post({ type: "reveal", row });
  }

  /** VS Code throws a hidden page away without a word: its host says it. */
  hidden(): void {
    this.#link.send({ type: "hidden" });
  }

  #steer(message: ToHost): void {
    if (this.#isNew) this.#first = message;
    else this.#link.send(message);
  }

  #take(raw: unknown): void {
    const message = toHostMessage(raw);
    if (message === undefined) return this.#world.log.warn("the page sent an unknown message");
    if (message.type === "ready") this.#outbox.clear();
    if (message.type === "ready" && this.#isNew) this.#begin();
    if (message.type === "selected") return this.#pointAt(message.row);
    if (message.type === "request" && "row" in message.ask) this.#pointAt(message.ask.row);
    if (message.type !== "ready" && message.type !== "hidden") this.#used.fire();
    this.#link.send(message);
  }

  /** The page itself keeps the selected call, but the session is chosen before it gets its first snapshot. */
  #begin(): void {
    this.#isNew = false;
    const remembered = this.#world.memory.get<Remembered>(this.#memoryKey);
    if (this.#first !== undefined) this.#link.send(this.#first);
    else if (remembered?.following === false && existsSync(remembered.session)) {
      this.#link.send({ type: "select", session: remembered.session, context: remembered.context });
    } else if (!this.#world.followsLive()) this.#link.send({ type: "follow", on: false });
  }

  #pointAt(row: number | null): void {
    if (row !== null && this.#looksAt !== undefined) this.#world.selected({ ...this.#looksAt, row });
  }

  #post(message: ToPage): void {
    if (message.type === "snapshot") {
      this.#snapshots++;
      this.#lookAt(message.state);
    } else if (message.type === "delta") {
      this.#deltas++;
      this.#lookAt(message.delta);
    }
    this.#outbox.post(message);
  }

  #lookAt({ selected, following }: Pick<PanelDelta, "selected" | "following">): void {
    if (selected === undefined && following === undefined) return;
    if (selected !== undefined) this.#looksAt = selected ?? undefined;
    if (following !== undefined) this.#following = following;
    if (this.#looksAt === undefined) return;
    const now: Remembered = { ...this.#looksAt, following: this.#following };
    const before = this.#world.memory.get<Remembered>(this.#memoryKey);
    if (JSON.stringify(before) !== JSON.stringify(now)) void this.#world.memory.update(this.#memoryKey, now);
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
