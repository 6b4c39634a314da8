/** Keeps the list of sessions up to date for logs that are being written, whether they are open or not. */

import { followLog, type ReplayFollower, recallFollower } from "../../batch/replayLog.js";
import type { LogData } from "../../inspect/logData.js";
import { summaryOf } from "../../inspect/logSummary.js";
import type { SessionStore } from "../sessionStore.js";
import { summaryOptions } from "./library.js";

/** How often the list is updated; open sessions never wait for it. */
const UPDATE_MS = 1000;
/** By then, a page that follows the live session has opened a new one, which need not be read for the list as well. */
const MIN_DELAY_MS = 400;
/** More logs are hardly ever written at the same time. */
const MAX_FOLLOWED = 16;

type Sessions = Pick<SessionStore, "config" | "library" | "cache" | "viewOfLog" | "setLogProblem" | "listChanged">;

export class LiveLogs {
  readonly #store: Sessions;
  /** The one that changed last is last. */
  readonly #followers = new Map<string, ReplayFollower>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #lastTime = 0;

  constructor(store: Sessions) {
    this.#store = store;
  }

  changed(path: string): void {
    this.#changed.add(path);
    const sinceLast = Date.now() - this.#lastTime;
    this.#timer ??= setTimeout(() => this.#update(), Math.max(MIN_DELAY_MS, UPDATE_MS - sinceLast));
  }

  /** After a change of settings or roots. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#followers.clear();
    this.#changed.clear();
  }

  #update(): void {
    this.#timer = undefined;
    this.#lastTime = Date.now();
    for (const path of this.#changed) {
      const data = this.#store.viewOfLog(path)?.data(path) ?? this.#follow(path);
      if (data !== undefined) this.#store.library.add(summaryOf(data));
    }
    this.#changed.clear();
    for (const path of [...this.#followers.keys()].slice(0, -MAX_FOLLOWED)) this.#followers.delete(path);
    this.#store.listChanged();
  }

  #follow(path: string): LogData | undefined {
    const { config, cache } = this.#store;
    const options = summaryOptions(config.settings);
    const follower =
      this.#followers.get(path) ?? followLog(path, options, cache && recallFollower(path, options, cache));
    this.#followers.delete(path);
    const look = follower.update();
    this.#store.setLogProblem(path, follower.problem);
    if (look === "absent" || look === "unreadable" || look === "failed") return undefined;
    this.#followers.set(path, follower);
    return follower.sink.data();
  }
}
