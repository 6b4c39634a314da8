import { type DedupEvent, droppedBy, isResultEvent, type ResultEvent } from "../dedup/events.js";
import { CopyFilter } from "../inspect/copies.js";
import { CostPlaces, cacheSeconds, costOf, UNSENT, writeWeight } from "../inspect/cost.js";
import { addRow, emptyFigures, type Figures } from "../inspect/figures.js";
import { GateKeeper } from "../inspect/gates.js";
import type { ContextData, LogData } from "../inspect/logData.js";
import { type OUTCOMES, outcomeAt } from "../inspect/outcomes.js";
import { pricesOf, withListPrices } from "../inspect/prices.js";
import { ResultRows, ROW_WIDTH } from "../inspect/rows.js";
import { describeSession, type SessionDescription, type SessionFilter } from "../inspect/sessionDescription.js";
import { type Calibration, calibrate, calibrationsOf, type Ratios } from "../log/calibration.js";
import type { Price, PriceTable } from "../settings/shapes.js";
import type { RowSink } from "./tables.js";

export interface FigureBasis {
  readonly ratios: Ratios;
  /** The user's own prices. */
  readonly prices: PriceTable | undefined;
  readonly shows: SessionFilter;
}

/** Makes the rows of one session after another. All figures come from the same code as the report's. */
export class SessionRows {
  readonly #basis: FigureBasis;
  readonly #prices: PriceTable;
  readonly #sink: RowSink;
  readonly #copies = new CopyFilter();

  constructor(basis: FigureBasis, sink: RowSink) {
    this.#basis = basis;
    this.#prices = withListPrices(basis.prices);
    this.#sink = sink;
  }

  /** Sessions must come in the report's order: for a result in several files, the first one counts. */
  add(main: LogData, agents: readonly LogData[]): void {
    const session = describeSession(main, agents);
    if (!this.#basis.shows(session)) return;
    const logs = [main, ...agents];
    const own = calibrationsOf(logs.flatMap(log => log.samples));
    const calibrationOf = (model: string) => calibrate(model, own, this.#basis.ratios);
    const contexts = logs.flatMap(log => log.contexts);
    const figures = emptyFigures();
    let copiedResults = 0;
    for (const context of contexts) {
      const walk = new ContextWalk(session, context, calibrationOf(context.model), this.#sink);
      walk.requests();
      copiedResults += walk.results(figures, this.#copies, pricesOf(context.models, this.#prices));
      walk.events();
    }
    const first = contexts[0];
    const calibration = calibrationOf(first?.model ?? "");
    this.#sink("sessions", {
      file: session.file,
      session_id: session.sessionId,
      project: session.project,
      // A prompt is not a title: exports contain no texts.
      title: (main.isTitled && main.title) || null,
      started_at: timeOf(session.firstAt),
      ended_at: timeOf(session.lastAt),
      model: first?.model || null,
      version: session.versions.at(-1) ?? null,
      contexts: contexts.length,
      compactions: sum(contexts, ({ partitionRequests }) => partitionRequests.length - 1),
      requests: sum(contexts, ({ requests }) => requests),
      results: figures.results,
      copied_results: copiedResults,
      hits: figures.hits,
      near_hits: figures.nearHits,
      run_hits: figures.runHits,
      misses: figures.misses,
      native: figures.bypassed.native,
      realised: figures.bypassed.realised,
      bytes: figures.bytes,
      tokens: figures.tokens,
      saved_bytes: figures.savedBytes,
      saved_tokens: figures.savedTokens,
      carried_tokens: figures.carriedTokens,
      forgone_tokens: figures.forgoneTokens,
      native_tokens: figures.nativeTokens,
      realised_tokens: figures.realisedTokens,
      chars_per_token: calibration.charsPerToken,
      calibration: calibration.basis,
      calibration_samples: calibration.samples,
      calibration_error: calibration.medianAbsError,
      bad_lines: session.badLines,
      left_out_lines: session.leftOutLines,
    });
  }
}

/** The rows of one context. There are millions of them, and building one from others is slow. */
class ContextWalk {
  /** What all rows have in common. */
  readonly #place: { file: string; session_id: string; context: string; subagent: boolean };
  readonly #context: ContextData;
  readonly #charsPerToken: number;
  readonly #sink: RowSink;
  /** The call of each row. */
  readonly #ids: readonly string[];
  readonly #events: readonly DedupEvent[];

  constructor(session: SessionDescription, context: ContextData, calibration: Calibration, sink: RowSink) {
    const { file, sessionId: session_id } = session;
    this.#place = { file, session_id, context: context.id, subagent: context.id !== "main" };
    this.#context = context;
    this.#charsPerToken = calibration.charsPerToken;
    this.#sink = sink;
    this.#events = context.events ?? [];
    this.#ids = this.#events.filter(isResultEvent).map(({ id }) => id);
  }

  requests(): void {
    const { file, session_id, context, subagent } = this.#place;
    const next = this.#context.partitionRequests.map(() => 0);
    for (const { request, partition } of this.#context.sent ?? []) {
      const index = next[partition] ?? 0;
      next[partition] = index + 1;
      const isKnown = request.input > 0;
      this.#sink("requests", {
        file,
        session_id,
        context,
        subagent,
        partition_index: partition,
        line: request.line,
        logged_at: timeOf(request.at),
        request_index: index,
        model: request.model || null,
        prompt_tokens: isKnown ? request.input : null,
        written_5m_tokens: isKnown ? request.written5m : null,
        written_1h_tokens: isKnown ? request.written1h : null,
        read_tokens: isKnown ? request.cacheRead : null,
        cached_seconds: cacheSeconds(writeWeight(request)) || null,
        output_tokens: isKnown ? request.output : null,
      });
    }
  }

  /** Adds all figures, and returns how many results are copies. */
  results(figures: Figures, copies: CopyFilter, prices: readonly (Price | undefined)[]): number {
    const { file, session_id, context, subagent } = this.#place;
    const { rows: cells, tools, files, requestCosts } = this.#context;
    const rows = new ResultRows(cells, cells.length / ROW_WIDTH);
    const places = requestCosts.map(requests => new CostPlaces(requests, prices));
    const keeper = new GateKeeper(rows, this.#context);
    const rowOf = new Map(this.#ids.map((id, row) => [id, row]));
    let [row, copied] = [0, 0];
    for (const event of this.#events) {
      if (!isResultEvent(event)) continue;
      const place = places[event.partition]?.at(rows.get(row, "request")) ?? UNSENT;
      const of = emptyFigures();
      for (const to of [of, figures]) addRow(to, rows, row, this.#charsPerToken, place.laterRequests);
      const isCopy = !copies.isFirst(rows, row);
      if (isCopy) copied++;
      const { gate, use } = keeper.next(row);
      const outcome = outcomeAt(rows, row);
      const cost = costOf(of.savedTokens, place);
      const hasText = outcome !== "bypass:nonText";
      const ref = rows.get(row, "ref");
      const tool = tools[rows.get(row, "tool")] || null;
      const { partition: partition_index, line } = event;
      const logged_at = timeOf(event.at);
      const { outcome: kind, reason } = partsOf(outcome);
      this.#sink("results", {
        file,
        session_id,
        context,
        subagent,
        partition_index,
        line,
        logged_at,
        call_id: event.id,
        tool,
        path: files[rows.get(row, "file") - 1] ?? null,
        range_from: rows.get(row, "rangeFrom") || null,
        range_lines: rows.get(row, "rangeLines") || null,
        outcome: kind,
        reason,
        gate,
        is_copy: isCopy,
        reread: use.reread,
        overlapping: use.overlapping,
        earlier_requests: rows.get(row, "request"),
        later_requests: place.laterRequests,
        bytes: hasText ? of.bytes : null,
        chars: hasText ? rows.get(row, "chars") : null,
        tokens: hasText ? of.tokens : null,
        saved_bytes: of.savedBytes,
        saved_tokens: of.savedTokens,
        carried_tokens: of.carriedTokens,
        forgone_tokens: of.forgoneTokens,
        native_tokens: of.nativeTokens,
        realised_tokens: of.realisedTokens,
        saved_units: of.savedTokens === 0 ? 0 : cost.units,
        saved_usd: of.savedTokens === 0 ? 0 : cost.usd,
        runs: rows.get(row, "runs"),
        ref_call_id: this.#ids[ref - 1] ?? null,
        distance: ref === 0 ? null : row - (ref - 1),
        cause_call_id: this.#ids[rows.get(row, "cause") - 1] ?? null,
        evicted_call_id: this.#ids[rows.get(row, "evicted") - 1] ?? null,
        invalidations: rows.get(row, "invalidations"),
      });
      for (const [index, run] of ("runs" in event ? (event.runs ?? []) : []).entries()) {
        const source = rowOf.get(run.ref);
        this.#sink("runs", {
          file,
          session_id,
          context,
          subagent,
          partition_index,
          line,
          logged_at,
          call_id: event.id,
          run_index: index,
          tool,
          is_copy: isCopy,
          source_call_id: run.ref,
          in_input: run.input !== undefined,
          first_line: run.from,
          last_line: run.to,
          bytes: run.bytes,
          distance: source === undefined ? null : row - source,
        });
      }
      row++;
    }
    return copied;
  }

  /** What happened between results, or besides them. */
  events(): void {
    const { file, session_id, context, subagent } = this.#place;
    for (const event of this.#events) {
      if (isResultEvent(event)) continue;
      const { kind, partition: partition_index, line, at } = event;
      const logged_at = timeOf(at);
      const place = { file, session_id, context, subagent, partition_index, line, logged_at };
      this.#sink("events", { ...place, kind, ...this.#about(event) });
    }
  }

  #about(event: Exclude<DedupEvent, ResultEvent>) {
    const isReask = event.kind === "reask";
    return {
      call_id: "id" in event ? event.id : null,
      cause_call_id: isReask ? event.hint : "cause" in event ? event.cause : null,
      dropped_by: "by" in event ? event.by : null,
      dropped: isReask ? null : (droppedBy(event)?.length ?? null),
      kept: "kept" in event ? event.kept.length : null,
      hint_level: "level" in event ? event.level : null,
    };
  }
}

type Outcome = (typeof OUTCOMES)[number];

function partsOf(outcome: Outcome): { outcome: string; reason: string | null } {
  const [kind = "", reason = null] = outcome.split(":");
  return { outcome: kind, reason };
}

/** Later years are nonsense, and each day has its own folder. */
const LAST_TIME = Date.UTC(2200, 0, 1);

/** Milliseconds since 1970; null if a timestamp is missing or invalid. */
function timeOf(at: string | null): number | null {
  const time = at === null ? Number.NaN : Date.parse(at);
  return time >= 0 && time < LAST_TIME ? time : null;
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
