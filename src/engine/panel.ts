/** One open page: what it shows, what it has been sent, and what to send next. */
import { hash } from "node:crypto";
import { sumOf } from "../cache/pictures.js";
import { followedSessions } from "../inspect/sessionList.js";
import type { Ratios } from "../log/calibration.js";
import type {
  PackedState,
  PanelDelta,
  PanelMessage,
  PanelState,
  PanelUpdate,
  SessionItem,
} from "../protocol/messages.js";
import { packContext } from "../protocol/packing.js";
import type { ContextRef } from "../protocol/requests.js";
import { SentSessions } from "../protocol/sessions.js";
import type { Comparisons } from "./compare/comparisons.js";
import type { EngineConfig } from "./engineMessages.js";
import type { LibraryReader } from "./library/libraryReader.js";
import { LiveChoice } from "./liveChoice.js";
import type { SessionStore } from "./sessionStore.js";
import type { ContextCounts, SessionView } from "./sessionView.js";

type Sessions = Pick<
  SessionStore,
  "config" | "problems" | "sessions" | "ratios" | "has" | "view" | "recall" | "remember"
>;

export interface PanelSources {
  readonly store: Sessions;
  readonly reader: Pick<LibraryReader, "progress">;
  readonly comparisons: Pick<Comparisons, "all">;
}

/** What a page wants to see. */
type Choice = Omit<Extract<PanelMessage, { type: "select" }>, "type">;

/** The contents of the selected session. */
type Contents = Pick<PackedState, "contexts" | "context">;

const MAIN = "main";
const NOTHING: ContextCounts = { rows: 0, marks: 0, requests: 0, sweep: 0 };
/** More new results than this are sent packed: a delta is serialized as text. */
const MAX_GROWN = 500;
/** Sessions per message. */
const MAX_SESSIONS = 500;
/** By then, the remembered picture is on its way to the page. */
const OPEN_AFTER_MS = 50;
const REMEMBER_AFTER_MS = 10_000;

export class Panel {
  readonly #store: Sessions;
  readonly #sources: PanelSources;
  readonly #post: (message: PanelUpdate) => void;
  #session: string | undefined;
  #context = MAIN;
  #following = true;
  #visible = false;
  #seq = 0;
  #sent: ContextCounts = NOTHING;
  /** By which its characters were counted in tokens. */
  #sentRatios: Ratios | undefined;
  /** The checksum of the remembered picture that the page shows until the session is opened. */
  #recalled: string | undefined;
  #rememberTimer: NodeJS.Timeout | undefined;
  readonly #sentSessions = new SentSessions();
  #sessionsTimer: NodeJS.Timeout | undefined;
  /** Selected by the page, but not found yet. */
  #wanted: Choice | undefined;
  /** The sessions to follow that were known when one was selected. */
  #known: ReadonlySet<string> = new Set();
  readonly #live = new LiveChoice();

  constructor(sources: PanelSources, post: (message: PanelUpdate) => void) {
    this.#sources = sources;
    this.#store = sources.store;
    this.#post = post;
  }

  get session(): string | undefined {
    return this.#session;
  }

  get selected(): ContextRef | undefined {
    return this.#session === undefined ? undefined : { session: this.#session, context: this.#context };
  }

  get #view(): SessionView | undefined {
    return this.#session === undefined ? undefined : this.#store.view(this.#session);
  }

  take(message: PanelMessage): void {
    switch (message.type) {
      case "ready":
        return this.#show();
      case "hidden":
        this.#visible = false;
        return;
      case "select":
        return this.#select(message);
      case "follow":
        return this.#follow(message.on);
      default:
        message satisfies never;
    }
  }

  /** The list of sessions, progress or problems have changed. */
  refresh(): void {
    if (!this.#visible) return;
    const before = this.#session;
    this.#selectWanted();
    this.#followLive();
    if (this.#session !== before) return this.#sendSnapshot();
    this.#send({ progress: this.#sources.reader.progress, problems: this.#store.problems });
    this.#sendSessions();
    if (this.#isRecalibrated()) this.grow();
  }

  /** Whether logs that were read since have changed how many characters a token has in the selected session. */
  #isRecalibrated(): boolean {
    const [before, now] = [this.#sentRatios, this.#store.ratios()];
    if (before === undefined || before === now) return false;
    const ratio = (ratios: Ratios) => this.#view?.charsPerToken(this.#context, ratios);
    return ratio(before) !== ratio(now);
  }

  /** A few at a time: on its way to the page, the list passes through a thread that must not be blocked. */
  #sendSessions(): void {
    clearTimeout(this.#sessionsTimer);
    if (!this.#visible) return;
    const sessions = this.#sentSessions.next(this.#store.sessions(), MAX_SESSIONS);
    if (sessions === undefined) return;
    this.#send({ sessions });
    this.#sessionsTimer = setTimeout(() => this.#sendSessions());
  }

  /** The comparison over all sessions has changed. */
  sendAllSessions(): void {
    if (this.#visible) this.#send({ all: this.#sources.comparisons.all });
  }

  /** The selected session has grown. */
  grow(): void {
    if (!this.#visible || this.#session === undefined) return;
    if (this.#recalled !== undefined) return this.#compare();
    const view = this.#view;
    const grown = view?.delta(this.#context, this.#sent, this.#store.ratios(), this.#store.config.figures.prices);
    if (view === undefined || grown === undefined || grown.ids.length > MAX_GROWN) return this.#sendSnapshot();
    this.#sent = view.counts(this.#context);
    this.#sentRatios = this.#store.ratios();
    this.#send({ contexts: view.contexts, grown });
    this.#rememberLater();
  }

  /** Everything sent so far is stale: the settings or roots have changed, or the log was rewritten. */
  reset(): void {
    this.#leaveGone();
    if (this.#visible) this.#sendSnapshot();
  }

  /** Closes a session that is no longer among the logs, and selects another one as at the start. */
  #leaveGone(): void {
    if (this.#session === undefined || this.#store.has(this.#session)) return;
    this.#session = undefined;
    this.#context = MAIN;
    this.#recalled = undefined;
    clearTimeout(this.#rememberTimer);
    this.#followLive();
  }

  close(): void {
    this.#visible = false;
    this.#recalled = undefined;
    clearTimeout(this.#sessionsTimer);
    clearTimeout(this.#rememberTimer);
  }

  #show(): void {
    this.#visible = true;
    this.#selectWanted();
    this.#followLive();
    this.#sendSnapshot();
  }

  #select(choice: Choice): void {
    this.#wanted = undefined;
    // Only a session in the list can be selected: a page must not make us read other files. It may appear later.
    if (!this.#store.sessions().some(item => item.key === choice.session)) {
      this.#wanted = choice;
      return;
    }
    this.#choose(choice, this.#following && choice.session === this.#session);
    this.reset();
  }

  #selectWanted(): void {
    const wanted = this.#wanted;
    if (wanted === undefined || !this.#store.sessions().some(item => item.key === wanted.session)) return;
    this.#wanted = undefined;
    this.#choose(wanted, false);
  }

  /** `follows`: whether the page follows from now on, if the choice does not say. */
  #choose({ session, context = MAIN, following }: Choice, follows: boolean): void {
    this.#following = following ?? follows;
    this.#session = session;
    this.#context = context;
    this.#known = keysOf(followedSessions(this.#store.sessions()));
  }

  #follow(on: boolean): void {
    this.#following = on;
    if (on) {
      this.#wanted = undefined;
      const { session } = this;
      this.#session = undefined;
      this.#followLive();
      this.#session ??= session;
    }
    this.reset();
  }

  /**
   * While following, selects a live session: see `LiveChoice`. If none is live, the newest one with results is selected
   * once, and figures that arrive while old logs are read do not change that; only a newer session does if its folder was
   * not known yet. The sample and sessions of other folders are only used until there is a session to follow.
   */
  #followLive(): void {
    if (!this.#following && this.#session !== undefined) return;
    const all = this.#store.sessions();
    const followed = followedSessions(all);
    const shown = all.find(item => item.key === this.#session);
    const isStandIn = this.#session === undefined || (shown !== undefined && !followed.includes(shown));
    const newest = isStandIn ? (newestOf(followed) ?? newestOf(all)) : this.#newcomer(followed);
    const chosen = this.#live.next(followed, this.#session) ?? newest;
    if (chosen !== undefined && chosen.key !== this.#session) this.#choose({ session: chosen.key }, this.#following);
  }

  /** Logs are read by several threads: an older session of the folder may be known before the newest. */
  #newcomer(followed: readonly SessionItem[]): SessionItem | undefined {
    const shown = followed.findIndex(item => item.key === this.#session);
    return followed.slice(0, Math.max(0, shown)).find(item => !this.#known.has(item.key));
  }

  #sendSnapshot(): void {
    const picture = this.#session === undefined ? undefined : this.#store.recall(this.#session, this.#context);
    this.#recalled = picture && sumOf(picture);
    if (picture === undefined) return this.#sendContents(this.#contents());
    this.#sent = NOTHING;
    this.#sentRatios = undefined;
    this.#sendState(picture);
    setTimeout(() => this.#compare(), OPEN_AFTER_MS);
  }

  #sendContents(contents: Contents): void {
    this.#sent = this.#view?.counts(this.#context) ?? NOTHING;
    this.#sentRatios = this.#store.ratios();
    this.#sendState(contents);
    this.#rememberLater();
  }

  #sendState({ contexts, context }: Contents): void {
    this.#post({ type: "snapshot", seq: ++this.#seq, state: { ...this.#outline(), contexts, context } });
    this.#sendSessions();
  }

  /** Opens the session whose remembered picture the page shows; if it has changed, sends a new snapshot. */
  #compare(): void {
    const recalled = this.#recalled;
    if (recalled === undefined) return;
    this.#recalled = undefined;
    const { contexts, context } = this.#contents();
    if (context === null || sumOf({ contexts, context }) !== recalled) return this.#sendContents({ contexts, context });
    this.#sent = this.#view?.counts(this.#context) ?? NOTHING;
    this.#sentRatios = this.#store.ratios();
  }

  /** Once it has been quiet for a while: a picture costs more than a delta. */
  #rememberLater(): void {
    clearTimeout(this.#rememberTimer);
    this.#rememberTimer = setTimeout(() => {
      const session = this.#session;
      const { contexts, context } = this.#contents();
      if (session !== undefined && context !== null)
        this.#store.remember(session, this.#context, { contexts, context });
    }, REMEMBER_AFTER_MS);
    this.#rememberTimer.unref();
  }

  #send(delta: PanelDelta): void {
    this.#post({ type: "delta", seq: ++this.#seq, delta });
  }

  #contents(): Contents {
    const view = this.#view;
    const contexts = view?.contexts ?? [];
    if (!contexts.some(context => context.key === this.#context)) this.#context = contexts[0]?.key ?? MAIN;
    const context = view?.state(this.#context, this.#store.ratios(), this.#store.config.figures.prices) ?? null;
    return { contexts, context: context && packContext(context) };
  }

  /** Everything except the contents of the selected session. */
  #outline(): Omit<PanelState, "contexts" | "context"> {
    const { config, problems } = this.#store;
    const { reader, comparisons } = this.#sources;
    return {
      place: config.place,
      sessions: this.#sentSessions.restart(this.#store.sessions(), MAX_SESSIONS, this.#session),
      selected: this.selected ?? null,
      // The sample is only a placeholder.
      following: this.#following && (this.#session === undefined || this.#session !== config.sample),
      settings: { ...config.settings, axis: config.axis },
      basis: basisOf(config),
      all: comparisons.all,
      progress: reader.progress,
      roots: config.roots,
      problems,
      ...(config.liveHints !== undefined && { liveHints: config.liveHints }),
    };
  }
}

function basisOf({ settings, figures }: EngineConfig): string {
  return hash("sha256", JSON.stringify([settings, figures]), "hex").slice(0, 16);
}

function keysOf(sessions: readonly SessionItem[]): ReadonlySet<string> {
  return new Set(sessions.map(({ key }) => key));
}

function newestOf(sessions: readonly SessionItem[]): SessionItem | undefined {
  return sessions.find(item => item.results > 0) ?? sessions[0];
}
