import type { LogData } from "./logData.js";

/** A session's metadata from its logs. */
export interface SessionDescription {
  readonly file: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly badLines: number;
  /** Lines beyond the limits for one log: see `log/logHeader.ts`. */
  readonly leftOutLines: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly models: readonly string[];
  readonly versions: readonly string[];
}

/** Which sessions to show. Everything is replayed anyway: a hidden session may calibrate a shown one. */
export type SessionFilter = (session: Pick<SessionDescription, "project" | "lastAt">) => boolean;

export function describeSession(main: LogData, agents: readonly LogData[]): SessionDescription {
  const logs = [main, ...agents];
  return {
    file: main.path,
    sessionId: main.sessionId ?? main.path.replace(/^.*[\\/]|\.jsonl$/g, ""),
    project: logs.find(log => log.project !== undefined)?.project ?? null,
    badLines: logs.reduce((sum, log) => sum + log.badLines, 0),
    leftOutLines: logs.reduce((sum, log) => sum + log.leftOutLines, 0),
    firstAt: earliest(logs.map(log => log.firstAt)) ?? null,
    lastAt: latest(logs.map(log => log.lastAt)) ?? null,
    models: [...new Set(logs.flatMap(log => log.models))],
    versions: [...new Set(logs.flatMap(log => log.versions))],
  };
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a > b ? a : b), undefined);
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a < b ? a : b), undefined);
}
