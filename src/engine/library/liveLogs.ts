/** Logs that are being written: what the list says of them keeps up, whether somebody looks at them or not. */

import { followLog, type ReplayFollower, recallFollower } from "../../batch/replayLog.js";
import type { LogCache } from "../../cache/logCache.js";
import type { LogData } from "../../inspect/logData.js";
import type { PipelineOptions } from "../../pipeline/logPipeline.js";

/** How often the list keeps up; the picture of an open session never waits for it. */
const KEEP_UP_MS = 1000;
/** By then a page that follows the live session has opened a new one: it need not be read for the list too. */
const SOON_MS = 400;
/** More logs are hardly ever written at once; of the others only what the list says is kept. */
const MOST_FOLLOWED = 16;

export interface LiveLogsWorld {
  readonly options: PipelineOptions;
  readonly cache: LogCache | undefined;
  /** The log as somebody follows it already. */
  followed(path: string): LogData | undefined;
  learned(logs: readonly LogData[]): void;
  /** What went wrong at a look at a log; undefined where nothing did. */
  looked(path: string, problem: string | undefined): void;
}

export class LiveLogs {
  readonly #world: LiveLogsWorld;
  /** The one that changed last stands last. */
  readonly #followers = new Map<string, ReplayFollower>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #lastTime = 0;

  constructor(world: LiveLogsWorld) {
    this.#world = world;
  }

  changed(path: string): void {
    this.#changed.add(path);
    const sinceLast = Date.now() - this.#lastTime;
    this.#timer ??= setTimeout(() => this.#keepUp(), Math.max(SOON_MS, KEEP_UP_MS - sinceLast));
  }

  /** Starts over: other settings, other logs. */
  forgetAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#followers.clear();
    this.#changed.clear();
  }

  #keepUp(): void {
    this.#timer = undefined;
    this.#lastTime = Date.now();
    const learned = [...this.#changed].map(path => this.#world.followed(path) ?? this.#follow(path));
    this.#changed.clear();
    for (const path of [...this.#followers.keys()].slice(0, -MOST_FOLLOWED)) this.#followers.delete(path);
    this.#world.learned(learned.filter(data => data !== undefined));
  }

  #follow(path: string): LogData | undefined {
    const { options, cache } = this.#world;
    const follower =
      this.#followers.get(path) ?? followLog(path, options, cache && recallFollower(path, options, cache));
    this.#followers.delete(path);
    const look = follower.update();
    this.#world.looked(path, follower.problem);
    if (look === "absent" || look === "unreadable" || look === "failed") return undefined;
    this.#followers.set(path, follower);
    return follower.sink.data();
  }
}
