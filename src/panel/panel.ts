/** One open page: what it looks at, what it has, and what it is told next. */
import type { Calibrations } from "../log/calibration.js";
import type { PanelDelta, PanelState, Progress, SessionItem, ToHost, ToPage } from "../protocol/messages.js";
import type { EngineConfig } from "./engineMessages.js";
import type { Have, SessionView } from "./sessionView.js";

/** What a panel needs of the engine around it. */
export interface PanelWorld {
  readonly config: EngineConfig;
  readonly progress: Progress | null;
  readonly problems: readonly string[];
  sessions(): readonly SessionItem[];
  calibrations(): Calibrations;
  /** The followed session; the same one for all panels that look at it. */
  open(key: string): SessionView;
  post(message: ToPage): void;
  /** A request that only the program around can fulfil, or that needs texts. */
  request(panel: Panel, message: Extract<ToHost, { type: "request" }>): void;
}

const MAIN = "main";

export class Panel {
  readonly id: number;
  readonly #world: PanelWorld;
  #session: string | undefined;
  #context = MAIN;
  #following = true;
  #visible = false;
  #seq = 0;
  #have: Have = { rows: 0, marks: 0, sweep: 0 };

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
    this.#followLive();
    if (this.#session !== before) return this.#sendSnapshot();
    const { progress, problems } = this.#world;
    this.#send({ sessions: this.#world.sessions(), progress, problems });
  }

  /** The session that is looked at has grown. */
  grow(): void {
    if (!this.#visible || this.#session === undefined) return;
    const view = this.#world.open(this.#session);
    const grown = view.delta(this.#context, this.#have, this.#world.calibrations());
    if (grown === undefined) return this.#sendSnapshot();
    this.#have = view.have(this.#context);
    this.#send({ contexts: view.contexts, grown });
  }

  /** Everything sent before is void: settings have changed, or the log was rewritten. */
  reset(): void {
    if (this.#visible) this.#sendSnapshot();
  }

  reveal(row: number): void {
    this.#world.post({ type: "reveal", row });
  }

  #show(): void {
    this.#visible = true;
    this.#followLive();
    this.#sendSnapshot();
  }

  #select(session: string, context: string | undefined): void {
    // Only what was offered can be chosen: a page must not make us read other files.
    if (!this.#world.sessions().some(item => item.key === session)) return;
    this.#following = this.#following && session === this.#session;
    this.#session = session;
    this.#context = context ?? MAIN;
    this.reset();
  }

  #follow(on: boolean): void {
    this.#following = on;
    this.#followLive();
    this.reset();
  }

  /**
   * While following, the newest session that is going on is the one to look at. Where none is, the newest with anything
   * to see is chosen once; figures that come in while old logs are read do not move the choice.
   */
  #followLive(): void {
    if (!this.#following && this.#session !== undefined) return;
    const sessions = this.#world.sessions();
    const live = sessions.find(item => item.live);
    const chosen = live ?? (this.#session === undefined ? newestOf(sessions) : undefined);
    if (chosen === undefined || chosen.key === this.#session) return;
    this.#session = chosen.key;
    this.#context = MAIN;
  }

  #sendSnapshot(): void {
    const state = this.#state();
    if (this.#session !== undefined) this.#have = this.#world.open(this.#session).have(this.#context);
    this.#world.post({ type: "snapshot", seq: ++this.#seq, state });
  }

  #send(delta: PanelDelta): void {
    this.#world.post({ type: "delta", seq: ++this.#seq, delta });
  }

  #state(): PanelState {
    const { config, progress, problems } = this.#world;
    const view = this.view;
    const contexts = view?.contexts ?? [];
    if (!contexts.some(context => context.key === this.#context)) this.#context = contexts[0]?.key ?? MAIN;
    return {
      place: config.place,
      sessions: this.#world.sessions(),
      selected: this.#session === undefined ? null : { session: this.#session, context: this.#context },
      following: this.#following,
      contexts,
      context: view?.state(this.#context, this.#world.calibrations()) ?? null,
      settings: { ...config.settings, axis: config.axis },
      progress,
      roots: config.roots,
      problems,
    };
  }
}

function newestOf(sessions: readonly SessionItem[]): SessionItem | undefined {
  return sessions.find(item => item.results > 0) ?? sessions[0];
}
