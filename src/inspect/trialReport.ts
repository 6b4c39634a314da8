/** What the logs show about live hints: a trial's two groups side by side, and which hints were asked for again. */
import { groupSessions } from "../log/sessionFiles.js";
import { kindOfTool } from "../log/tools.js";
import type { Trial } from "../settings/liveSettings.js";
import { GROUPS, type Group, groupOf } from "../trial/assign.js";
import {
  compareGroups,
  type MeasureResult,
  type SessionCounts,
  type Verdict,
  verdictOf,
} from "../trial/compareGroups.js";
import { CopyFilter } from "./copies.js";
import { REQUEST_WIDTH } from "./cost.js";
import { type ContextRows, type HintShare, HintShares } from "./hintShares.js";
import type { ContextData, LogData } from "./logData.js";
import { kindAt, lostChars, type OutcomeKind, outcomeAt, wouldSave } from "./outcomes.js";
import { ResultRows, ROW_WIDTH } from "./rows.js";
import { describeSession, type SessionFilter } from "./sessionDescription.js";

/** What `report --trial --json` prints as `trial`: docs/json.md "Trial". */
export interface TrialReport {
  /** When it began and ended; null if there is no trial, or if it has not ended. */
  readonly since: string | null;
  readonly until: string | null;
  readonly sessions: Readonly<Record<Group, number>> & {
    /** Those in the hints group that actually got some. */
    readonly hinted: number;
    /** From the same time, but containing copies of other sessions. */
    readonly leftOut: number;
  };
  readonly verdict: Verdict;
  readonly measures: readonly MeasureResult[];
  /** Over all sessions, in the trial or not. */
  readonly hints: readonly HintShare[];
}

export function trialReport(logs: readonly LogData[], trial: Trial | undefined, shows: SessionFilter): TrialReport {
  const copies = new CopyFilter();
  const shares = new HintShares();
  const counted: SessionCounts[] = [];
  let [hinted, leftOut] = [0, 0];
  for (const { main, agents } of groupSessions(logs)) {
    const contexts = [main, ...agents].flatMap(log => log.contexts).map(rowsOf);
    const isCopy = contexts.map(({ rows }) => hasCopies(rows, copies)).some(Boolean);
    const description = describeSession(main, agents);
    if (!shows(description)) continue;
    const project = description.project ?? undefined;
    if (!isCopy) for (const context of contexts) shares.add(context);
    if (trial === undefined || !isInTrial(main, project, trial)) continue;
    if (isCopy) {
      leftOut++;
      continue;
    }
    const group = groupOf(sessionIdOf(main), trial);
    counted.push(countsOf(group, main, contexts));
    if (group === "hints" && contexts.some(({ hinted }) => hinted.length > 0)) hinted++;
  }
  const sizes = Object.fromEntries(
    GROUPS.map(group => [group, counted.filter(counts => counts.group === group).length]),
  ) as Record<Group, number>;
  const measures = trial === undefined ? [] : compareGroups(counted);
  return {
    since: trial?.since ?? null,
    until: trial?.until ?? null,
    sessions: { ...sizes, hinted, leftOut },
    verdict: verdictOf(measures),
    measures,
    hints: shares.report(),
  };
}

function rowsOf(context: ContextData): ContextRows {
  return { ...context, rows: new ResultRows(context.rows, context.rows.length / ROW_WIDTH) };
}

/** Passes every row to the filter, which remembers them. */
function hasCopies(rows: ResultRows, copies: CopyFilter): boolean {
  let found = false;
  for (let row = 0; row < rows.length; row++) found = !copies.isFirst(rows, row) || found;
  return found;
}

/** Falls back to the file name that Claude Code gives the session. */
function sessionIdOf({ sessionId, path }: LogData): string {
  return sessionId ?? path.replace(/^.*[\\/]|\.jsonl$/g, "");
}

/** Only sessions that began during the trial count: others got hints before it, or after. */
function isInTrial({ firstAt }: LogData, project: string | undefined, { since, until, folder }: Trial): boolean {
  if (firstAt === undefined || firstAt < since || (until !== undefined && firstAt >= until)) return false;
  return folder === undefined || project === folder || ["/", "\\"].some(end => project?.startsWith(folder + end));
}

function countsOf(group: Group, main: LogData, contexts: readonly ContextRows[]): SessionCounts {
  const counts = contexts.map(countContext);
  const sum = (of: (counts: ContextCounts) => number) => counts.reduce((total, one) => total + of(one), 0);
  return {
    group,
    prompts: main.prompts,
    interrupted: main.interruptions,
    requests: sum(one => one.requests),
    tokens: sum(one => one.tokens),
    results: sum(one => one.results),
    askedAgain: sum(one => one.askedAgain),
    edits: sum(one => one.edits),
    failedEdits: sum(one => one.failedEdits),
    repeatedReads: sum(one => one.repeatedReads),
    readAgain: sum(one => one.readAgain),
    chars: sum(one => one.chars),
    savedChars: sum(one => one.savedChars),
  };
}

type ContextCounts = Omit<SessionCounts, "group" | "prompts" | "interrupted">;

/** Counts the same in both groups, whether hints replaced a text or would have. */
function countContext(context: ContextRows): ContextCounts {
  const { rows, requests, requestCosts, tools } = context;
  const texts = new RepeatedTexts(context);
  const reads = new RepeatedReads(rows);
  let [askedAgain, edits, failedEdits, chars, savedChars] = [0, 0, 0, 0, 0];
  for (let row = 0; row < rows.length; row++) {
    const kind = kindAt(rows, row);
    const call = kindOfTool(tools[rows.get(row, "tool")] ?? "");
    if (texts.isAskedAgain(row, kind)) askedAgain++;
    if (call === "mutate") {
      edits++;
      if (outcomeAt(rows, row) === "bypass:error") failedEdits++;
      else reads.edited(row);
    } else if (call === "read") reads.read(row, kind);
    const saved = kind === "realised" ? rows.get(row, "savedChars") : 0;
    chars += rows.get(row, "chars") + saved;
    savedChars += saved - lostChars(rows, row);
  }
  const tokens = requestCosts.flat().reduce((sum, value, at) => sum + (at % REQUEST_WIDTH === 1 ? value : 0), 0);
  const { repeatedReads, readAgain } = reads;
  const results = rows.length;
  return { requests, tokens, results, askedAgain, edits, failedEdits, repeatedReads, readAgain, chars, savedChars };
}

/** Which results have the same text as one that came, or was replaced by a hint, with the previous request. */
class RepeatedTexts {
  readonly #rows: ResultRows;
  readonly #partial: ReadonlySet<number>;
  /** By row, the first row with the same text. */
  readonly #first: number[] = [];
  /** For each such first row, the newest one. */
  readonly #newest = new Map<number, number>();

  constructor({ rows, hinted }: ContextRows) {
    this.#rows = rows;
    this.#partial = new Set(hinted.filter(({ kind }) => kind === "run").map(({ row }) => row));
  }

  isAskedAgain(row: number, kind: OutcomeKind): boolean {
    const ref = this.#rows.get(row, "ref") - 1;
    const isSame = kind === "hit" || kind === "native" || (kind === "realised" && !this.#partial.has(row));
    const first = isSame && ref >= 0 ? (this.#first[ref] ?? ref) : row;
    const before = isSame ? (this.#newest.get(first) ?? (ref >= 0 ? first : undefined)) : undefined;
    this.#first[row] = first;
    this.#newest.set(first, row);
    if (before === undefined || this.#rows.get(before, "partition") !== this.#rows.get(row, "partition")) return false;
    return this.#rows.get(row, "request") - this.#rows.get(before, "request") === 1;
  }
}

/** Reads that repeat what the model has, and those after which the same lines were read again without an edit. */
class RepeatedReads {
  readonly #rows: ResultRows;
  /** By file, the ranges whose newest read was one of these. */
  readonly #repeated = new Map<number, Set<string>>();
  #partition = 0;
  repeatedReads = 0;
  readAgain = 0;

  constructor(rows: ResultRows) {
    this.#rows = rows;
  }

  edited(row: number): void {
    this.#repeated.delete(this.#rows.get(row, "file"));
  }

  read(row: number, kind: OutcomeKind): void {
    const [partition, file] = [this.#rows.get(row, "partition"), this.#rows.get(row, "file")];
    if (partition !== this.#partition) this.#repeated.clear();
    this.#partition = partition;
    const range = `${this.#rows.get(row, "rangeFrom")} ${this.#rows.get(row, "rangeLines")}`;
    const ranges = this.#repeated.get(file) ?? new Set();
    if (ranges.delete(range)) this.readAgain++;
    if (!wouldSave(kind) && kind !== "realised") return;
    this.repeatedReads++;
    this.#repeated.set(file, ranges.add(range));
  }
}
