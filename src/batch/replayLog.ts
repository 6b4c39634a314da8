import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import type { CachedFigures, LogCache } from "../cache/logCache.js";
import { continues, identify, type LogIdentity } from "../files/identity.js";
import { readBytes, withOpenFile } from "../files/readLog.js";
import type { LogData } from "../inspect/logData.js";
import { STRATEGY_IDS } from "../inspect/strategies.js";
import { LogModel, type ReplayOptions } from "../pipeline/logModel.js";
import type { LogFollower, SavedFollower } from "../tail/follower.js";

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
    const before = cache && identify(file, size);
    advance(model.consumed);
    readBytes(file, model.consumed, size, bytes => {
      model.push(bytes);
      advance(bytes.length);
    });
    const data = model.data();
    const facts = model.save();
    // What was rewritten while it was read is neither the one log nor the other.
    if (before !== undefined && facts !== undefined && isTrusted(file, before))
      cache?.save({ path: resolve(path), identity: before, ...keysOf(options), data: plainData(data) }, facts);
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
  if (fstatSync(file).size === known.identity.size && isPlain && isFor(options, known))
    return withPath(options.strategies === undefined ? withoutStrategies(known.data) : known.data, path);
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

function withoutStrategies(data: LogData): LogData {
  return { ...data, contexts: data.contexts.map(({ strategies: _, ...context }) => context) };
}

/** Under what the figures were computed. Savings are packed in the order of the strategies: a new one makes them void. */
function keysOf({ settings, strategies }: ReplayOptions): Pick<CachedFigures, "settings" | "strategies"> {
  const compared = strategies && JSON.stringify([strategies, STRATEGY_IDS]);
  return { settings: JSON.stringify(settings), strategies: compared };
}

/** Figures with all strategies serve those who ask for none, too. */
function isFor(options: ReplayOptions, known: CachedFigures): boolean {
  const wanted = keysOf(options);
  return (
    known.settings === wanted.settings && (wanted.strategies === undefined || known.strategies === wanted.strategies)
  );
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

/** What a follower has learnt, kept as if the log had been read for it; nothing is written where that is known already. */
export function keepFollowed({ path, model, saved }: LogFollower, options: ReplayOptions, cache: LogCache): LogData {
  const data = model.data();
  if (saved === undefined || options.settings.nearRef) return data;
  const { log, identity } = saved;
  const known = cache.figures(resolve(path));
  const isKnown =
    known !== undefined && isFor(options, known) && JSON.stringify(known.identity) === JSON.stringify(identity);
  if (!isKnown) cache.save({ path: resolve(path), identity, ...keysOf(options), data: plainData(data) }, log);
  return data;
}
