import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { type LogData, LogModel, type ReplayOptions } from "../inspect/logModel.js";
import type { SavedFollower } from "./follower.js";
import { continues, identify, type LogIdentity } from "./identity.js";
import type { LogCache } from "./logCache.js";
import { readBytes, withOpenFile } from "./readLog.js";

/** Reads and replays one log, or recalls it: only bytes that were never read are read. */
export function replayLog(
  path: string,
  options: ReplayOptions,
  cache: LogCache | undefined,
  advance: (bytes: number) => void,
): LogData {
  return withOpenFile(path, file => {
    const size = fstatSync(file).size;
    const model = cache === undefined ? new LogModel(path, options) : recall(file, path, options, cache);
    if (!(model instanceof LogModel)) {
      advance(size);
      return model;
    }
    advance(model.consumed);
    readBytes(file, model.consumed, size, bytes => {
      model.push(bytes);
      advance(bytes.length);
    });
    const data = model.data();
    const facts = model.save();
    if (cache !== undefined && facts !== undefined) {
      const identity = identify(file, size);
      cache.save({ path: resolve(path), identity, settings: settingsKey(options), data: plainData(data) }, facts);
    }
    return data;
  });
}

/** The log's data where nothing has changed; else a model that stands where the last reading stopped. */
function recall(file: number, path: string, options: ReplayOptions, cache: LogCache): LogData | LogModel {
  // Near-references compare texts, which the cache does not hold.
  if (options.settings.nearRef) return new LogModel(path, options);
  const keeping = { ...options, keepFacts: true };
  const known = cache.figures(resolve(path));
  if (known === undefined) return new LogModel(path, keeping);
  if (!isTrusted(file, known.identity)) return new LogModel(path, keeping);
  const isPlain = !options.keepEvents && !options.keepDetails;
  if (fstatSync(file).size === known.identity.size && isPlain && known.settings === settingsKey(options))
    return withPath(known.data, path);
  return new LogModel(path, keeping, cache.facts(resolve(path)));
}

/** The same log, untouched or only grown. Of the same size but written to, something in the middle may have changed. */
function isTrusted(file: number, before: LogIdentity): boolean {
  const { size, mtimeMs } = fstatSync(file);
  const isUntouched = size === before.size && mtimeMs === before.mtimeMs;
  return (isUntouched || size > before.size) && continues(identify(file, before.size), before);
}

/** The same log may be named in another way than the last time. */
function withPath(data: LogData, path: string): LogData {
  const contexts = data.contexts.map(context => (context.file === undefined ? context : { ...context, file: path }));
  return { ...data, path, contexts };
}

/** What the cache keeps is for figures: events and details are made again from the facts. */
function plainData(data: LogData): LogData {
  return {
    ...data,
    contexts: data.contexts.map(({ events: _, ...context }) => ({ ...context, ids: [], targets: [], marks: [] })),
  };
}

function settingsKey({ settings }: ReplayOptions): string {
  return JSON.stringify(settings);
}

/** What an earlier reading of the log left, for a follower to go on from; undefined where there is nothing to trust. */
export function recallFacts(path: string, options: ReplayOptions, cache: LogCache): SavedFollower | undefined {
  if (options.settings.nearRef) return undefined;
  const known = cache.figures(resolve(path));
  const log = known && cache.facts(resolve(path));
  if (known === undefined || log === undefined) return undefined;
  try {
    // From the end of the last whole line on: a follower checks that the file still is what it was up to there.
    const identity = withOpenFile(path, file =>
      isTrusted(file, known.identity) ? identify(file, log.reader.offset) : undefined,
    );
    return identity && { log, identity };
  } catch {
    return undefined;
  }
}
