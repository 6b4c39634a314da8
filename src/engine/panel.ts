/** One open page: what it looks at, what it has, and what it is told next. */
import { hash } from "node:crypto";
import { type Picture, sumOf } from "../cache/pictures.js";
import type { Ratios } from "../log/calibration.js";
import type { AllSessions } from "../protocol/comparison.js";
import type {
  PackedState,
  PanelDelta,
  PanelState,
  Progress,
  SessionItem,
  ToHost,
  ToPage,
} from "../protocol/messages.js";
import { packContext } from "../protocol/packing.js";
import { ownSessions, ToldSessions } from "../protocol/sessions.js";
import type { EngineConfig } from "./engineMessages.js";
import type { Have, SessionView } from "./sessionView.js";

/** What a panel needs of the engine around it. */
export interface PanelWorld {
  readonly config: EngineConfig;
  readonly progress: Progress | null;
  readonly all: AllSessions;
  readonly problems: readonly string[];
  /** Newest first; an item that has not changed is the same object as before. */
  sessions(): readonly SessionItem[];
  ratios(): Ratios;
  /** The followed session, the same one for all panels that look at it; undefined where it is none of the logs. */
  open(key: string): SessionView | undefined;
  /** Whether it can be opened. */
  has(key: string): boolean;
  /** What is remembered of a session that is not open; undefined where it has changed since. */
  recall(key: string, context: string): Picture | undefined;
  remember(key: string, context: string, picture: Picture): void;
  post(message: ToPage): void;
  /** A request that only the program around can fulfil, or that needs texts. */
  request(panel: Panel, message: Extract<ToHost, { type: "request" }>): void;
}

/** What there is of the selected session. */
type Found = Pick<PackedState, "contexts" | "context">;

const MAIN = "main";
const NOTHING: Have = { rows: 0, marks: 0, sweep: 0 };
/** More than this at once goes packed: a delta is written out as text. */
const MOST_GROWN = 500;
/** So many sessions are told at once. */
const MOST_SESSIONS = 500;
/** A picture is on its way to the page before the session behind it is opened. */
const OPEN_AFTER_MS = 50;
const REMEMBER_AFTER_MS = 10_000;

export class Panel {
  readonly id: number;
  readonly #world: PanelWorld;
  #session: string | undefined;
  #context = MAIN;
  #following = true;
  #visible = false;
  #seq = 0;
  #have: Have = NOTHING;
  /** The page shows what was remembered: this tells whether it is what will be found. */
  #recalled: string | undefined;
  #rememberTimer: NodeJS.Timeout | undefined;
  /** What the page knows of the list of sessions. */
  readonly #told = new ToldSessions();
  #tellTimer: NodeJS.Timeout | undefined;
  /** Was asked for and has not been found yet. */
  #wanted: { readonly session: string; readonly context: string | undefined } | undefined;

  constructor(id: number, world: PanelWorld) {
    this.id = id;
    this.#world = world;
  }

  get session(): string | undefined {
    return this.#session;
  }

  get context(): string {
    return this.#context;
  }

  get view(): SessionView | undefined {
    return this.#session === undefined ? undefined : this.#world.open(this.#session);
  }

  take(message: ToHost): void {
    if (message.type === "ready") this.#show();
    else if (message.type === "hidden") this.#visible = false;
    else if (message.type === "select") this.#select(message.session, message.context);
    else if (message.type === "follow") this.#follow(message.on);
    else if (message.type === "request") this.#world.request(this, message);
  }

  /** The list of sessions, progress or problems have changed. */
  refresh(): void {
    if (!this.#visible) return;
    const before = this.#session;
    this.#selectWanted();
    this.#followLive();
    if (this.#session !== before) return this.#sendSnapshot();
    const { progress, problems } = this.#world;
    this.#send({ progress, problems });
    this.#tellSessions();
  }

  /** A little at a time: on its way to the page the list passes a thread that must not be held up. */
  #tellSessions(): void {
    clearTimeout(this.#tellTimer);
    if (!this.#visible) return;
    const sessions = this.#told.next(this.#world.sessions(), MOST_SESSIONS);
    if (sessions === undefined) return;
    this.#send({ sessions });
    this.#tellTimer = setTimeout(() => this.#tellSessions());
  }

  /** The comparison over all sessions has changed. */
  tellAll(): void {
    if (this.#visible) this.#send({ all: this.#world.all });
  }

  /** The session that is looked at has grown. */
  grow(): void {
    if (!this.#visible || this.#session === undefined) return;
    if (this.#recalled !== undefined) return this.#compare();
    const view = this.view;
    const grown = view?.delta(this.#context, this.#have, this.#world.ratios());
    if (view === undefined || grown === undefined || grown.ids.length > MOST_GROWN) return this.#sendSnapshot();
    this.#have = view.have(this.#context);
    this.#send({ contexts: view.contexts, grown });
    this.#rememberLater();
  }

  /** Everything sent before is void: settings have changed, or the log was rewritten, or other logs are looked at. */
  reset(): void {
    this.#leaveGone();
    if (this.#visible) this.#sendSnapshot();
  }

  /** A session that is none of the logs any more is closed, and another one chosen as at the beginning. */
  #leaveGone(): void {
    if (this.#session === undefined || this.#world.has(this.#session)) return;
    this.#session = undefined;
    this.#context = MAIN;
    this.#recalled = undefined;
    clearTimeout(this.#rememberTimer);
    this.#followLive();
  }

  close(): void {
    this.#visible = false;
    this.#recalled = undefined;
    clearTimeout(this.#tellTimer);
    clearTimeout(this.#rememberTimer);
  }

  #show(): void {
    this.#visible = true;
    this.#selectWanted();
    this.#followLive();
    this.#sendSnapshot();
  }

  #select(session: string, context: string | undefined): void {
    this.#wanted = undefined;
    // Only what was found can be chosen: a page must not make us read other files. It may be found a moment later.
    if (!this.#world.sessions().some(item => item.key === session)) {
      this.#wanted = { session, context };
      return;
    }
    this.#following = this.#following && session === this.#session;
    this.#session = session;
    this.#context = context ?? MAIN;
    this.reset();
  }

  #selectWanted(): void {
    const wanted = this.#wanted;
    if (wanted === undefined || !this.#world.sessions().some(item => item.key === wanted.session)) return;
    this.#wanted = undefined;
    this.#following = false;
    this.#session = wanted.session;
    this.#context = wanted.context ?? MAIN;
  }

  #follow(on: boolean): void {
    this.#following = on;
    if (on) this.#wanted = undefined;
    this.#followLive();
    this.reset();
  }

  /**
   * While following, the newest session that is going on is the one to look at. Where none is, the newest with anything
   * to see is chosen once; figures that come in while old logs are read do not move the choice. The sample is only there
   * until there is a session of the user's own.
   */
  #followLive(): void {
    if (!this.#following && this.#session !== undefined) return;
    const all = this.#world.sessions();
    const sessions = ownSessions(all);
    const live = sessions.find(item => item.live);
    const isOver = sessions !== all && all.some(item => item.sample && item.key === this.#session);
    const chosen = live ?? (this.#session === undefined || isOver ? newestOf(sessions) : undefined);
    if (chosen === undefined || chosen.key === this.#session) return;
    this.#session = chosen.key;
    this.#context = MAIN;
  }

  #sendSnapshot(): void {
    const picture = this.#session === undefined ? undefined : this.#world.recall(this.#session, this.#context);
    this.#recalled = picture && sumOf(picture);
    if (picture === undefined) return this.#sendFound(this.#find());
    this.#have = NOTHING;
    this.#sendState(picture);
    setTimeout(() => this.#compare(), OPEN_AFTER_MS);
  }

  #sendFound(found: Found): void {
    this.#have = this.view?.have(this.#context) ?? NOTHING;
    this.#sendState(found);
    this.#rememberLater();
  }

  #sendState({ contexts, context }: Found): void {
    this.#world.post({ type: "snapshot", seq: ++this.#seq, state: { ...this.#outline(), contexts, context } });
    this.#tellSessions();
  }

  /** Opens the session whose picture the page has; where it is another one by now, the page is told. */
  #compare(): void {
    const recalled = this.#recalled;
    if (recalled === undefined) return;
    this.#recalled = undefined;
    const { contexts, context } = this.#find();
    if (context === null || sumOf({ contexts, context }) !== recalled) return this.#sendFound({ contexts, context });
    this.#have = this.view?.have(this.#context) ?? NOTHING;
  }

  /** When it has been quiet for a while: a picture costs more than a delta. */
  #rememberLater(): void {
    clearTimeout(this.#rememberTimer);
    this.#rememberTimer = setTimeout(() => {
      const session = this.#session;
      const { contexts, context } = this.#find();
      if (session !== undefined && context !== null)
        this.#world.remember(session, this.#context, { contexts, context });
    }, REMEMBER_AFTER_MS);
    this.#rememberTimer.unref();
  }

  #send(delta: PanelDelta): void {
    this.#world.post({ type: "delta", seq: ++this.#seq, delta });
  }

  #find(): Found {
    const view = this.view;
    const contexts = view?.contexts ?? [];
    if (!contexts.some(context => context.key === this.#context)) this.#context = contexts[0]?.key ?? MAIN;
    const context = view?.state(this.#context, this.#world.ratios()) ?? null;
    return { contexts, context: context && packContext(context) };
  }

  /** Everything that is not about the contents of the selected session. */
  #outline(): Omit<PanelState, "contexts" | "context"> {
    const { config, progress, problems } = this.#world;
    return {
      place: config.place,
      sessions: this.#told.anew(this.#world.sessions(), MOST_SESSIONS, this.#session),
      selected: this.#session === undefined ? null : { session: this.#session, context: this.#context },
      following: this.#following,
      settings: { ...config.settings, axis: config.axis },
      basis: basisOf(config),
      all: this.#world.all,
      progress,
      roots: config.roots,
      problems,
      ...(config.liveHints !== undefined && { liveHints: config.liveHints }),
    };
  }
}

function basisOf({ settings, figures }: EngineConfig): string {
  return hash("sha256", JSON.stringify([settings, figures]), "hex").slice(0, 16);
}

function newestOf(sessions: readonly SessionItem[]): SessionItem | undefined {
  return sessions.find(item => item.results > 0) ?? sessions[0];
}
