/** A watcher with everything that it has reported. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LogWatcher, type WatcherOptions } from "../../../src/tail/watcher.js";
import { until } from "../../support/until.js";

export { until };

export const LINE = '{"type":"user"}\n';
const watchers: LogWatcher[] = [];

export async function stopAll(): Promise<void> {
  await Promise.all(watchers.splice(0).map(watcher => watcher.stop()));
}

export class Watched {
  /** The size each log had when it was last reported as changed. */
  readonly sizes = new Map<string, number>();
  readonly gone: string[] = [];
  readonly notices: string[] = [];
  readonly watcher: LogWatcher;
  changes = 0;

  constructor(roots: readonly string[], options: WatcherOptions = {}) {
    this.watcher = new LogWatcher(
      roots,
      {
        changed: path => {
          this.changes++;
          this.sizes.set(path, statSync(path, { throwIfNoEntry: false })?.size ?? -1);
        },
        gone: path => this.gone.push(path),
        notice: line => this.notices.push(line),
      },
      options,
    );
    watchers.push(this.watcher);
  }

  /** Starts quietly, and waits until signals arrive. */
  async start(): Promise<this> {
    this.watcher.start(true);
    await wait(300);
    return this;
  }

  /** Waits until the whole file has been reported. */
  async sees(path: string): Promise<void> {
    await until(() => this.sizes.get(path) === statSync(path).size, `all of ${path} to be seen`);
  }
}

export function logIn(folder: string, name = "session.jsonl", content = LINE): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
