/** The engine's answers. A request that cannot be answered throws an Error with one clear line. */
import type {
  ComparedTexts,
  ContextRef,
  EngineRequests,
  FoundCall,
  Handlers,
  LogLineText,
  ReferencedLines,
  TranscriptPart,
} from "../protocol/requests.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import type { Comparisons } from "./compare/comparisons.js";
import type { LibraryReader } from "./library/libraryReader.js";
import type { SessionStore } from "./sessionStore.js";
import type { SessionView } from "./sessionView.js";
import { lineAt, readableJson } from "./texts/callTexts.js";

/** The first time, sessions only have titles and figures once they were read: a list without them is of little use. */
const MAX_WAIT_MS = 3000;
/** Texts are read from the log: a search is answered in steps, so that other requests get their turn. */
const SEARCH_STEP_MS = 60;

/** What a request is about, and how many characters of a text are wanted. */
export class RequestScope {
  readonly maxChars: number;
  readonly #store: Pick<SessionStore, "open">;
  readonly #target: ContextRef | undefined;

  /** `target` is undefined if the request names no context, or the page shows none. */
  constructor(store: Pick<SessionStore, "open">, target: ContextRef | undefined, maxChars: number) {
    this.#store = store;
    this.#target = target;
    this.maxChars = maxChars;
  }

  get target(): ContextRef {
    if (this.#target === undefined) throw new Error(strings.failures.noSelection);
    return this.#target;
  }

  get context(): string {
    return this.target.context;
  }

  get view(): SessionView {
    return this.#store.open(this.target.session);
  }
}

export type RequestHandlers = Handlers<EngineRequests, [scope: RequestScope]>;

export function requestHandlers(
  store: Pick<SessionStore, "sessions" | "ratios">,
  reader: Pick<LibraryReader, "want">,
  comparisons: Comparisons,
): RequestHandlers {
  return {
    sessions: async () => {
      await reader.want(MAX_WAIT_MS);
      return store.sessions();
    },
    compareAll: ({ on }) => comparisons.compareAll(on),
    trial: () => comparisons.trial(),
    stopTrial: () => comparisons.stopTrial(),
    details: ({ row }, { view, context, maxChars }) => view.details(context, row, maxChars) ?? null,
    transcript: ({ fromRow, count }, scope) => transcript(scope, fromRow, count),
    find: (search, { view, context }) => findCall(view, context, search),
    compare: ({ row, strategy }, { view, context, target }) =>
      strategy === undefined ? compare(view, context, row) : comparisons.compareEmitted(target, row, strategy),
    logLine: ({ row }, { view, context }) => logLine(view, context, row),
    lines: ({ row, input, from, to }, { view, context, maxChars }) =>
      cut(view.lines(context, row, input, from, to), maxChars),
    strategies: (_, { target }) => comparisons.strategies(target),
    passes: (_, { target }) => comparisons.passes(target),
    savings: ({ strategy }, { target }) => comparisons.savings(target, strategy),
    emitted: ({ row, strategy }, { target, maxChars }) => comparisons.emitted(target, row, strategy, maxChars),
    stretch: ({ row }, { view, context }) => view.stretch(context, row, store.ratios()) ?? null,
  };
}

function transcript({ view, context, maxChars }: RequestScope, from: number, count: number): TranscriptPart {
  const { rows } = view.counts(context);
  const calls: TranscriptPart["calls"][number][] = [];
  for (let row = Math.max(0, from); row < Math.min(rows, from + count); row++) {
    const details = view.details(context, row, maxChars);
    if (details !== undefined) calls.push({ row, ...details });
  }
  return { calls };
}

/** The next call whose tool, subject, input or result contains the text, ignoring case. */
export function findCall(
  view: SessionView,
  context: string,
  { text, fromRow, step }: EngineRequests["find"]["params"],
): FoundCall {
  const wanted = text.toLowerCase();
  const { rows } = view.counts(context);
  const end = performance.now() + SEARCH_STEP_MS;
  for (let row = Math.min(fromRow, rows - 1); row >= 0 && row < rows; row += step) {
    if (view.textsOf(context, row).some(part => part.toLowerCase().includes(wanted))) return { row, next: row + step };
    if (performance.now() > end) return { row: null, next: row + step };
  }
  return { row: null, next: null };
}

function compare(view: SessionView, context: string, row: number): ComparedTexts {
  if (view.place(context, row) === undefined) throw new Error(strings.failures.noResult);
  const other = view.counterpart(context, row);
  if (other === undefined) throw new Error(strings.failures.noReference);
  const side = (which: number) => ({
    title: fill(strings.compare.call, { number: which + 1 }),
    text: view.result(context, which) ?? strings.details.notText,
  });
  return { left: side(other), right: side(row) };
}

function logLine(view: SessionView, context: string, row: number): LogLineText {
  const place = view.place(context, row);
  if (place === undefined) throw new Error(strings.failures.noResult);
  return { file: place.file, line: place.line, text: pretty(lineAt(place.file, place.offset)) };
}

function pretty(line: string): string {
  try {
    return readableJson(JSON.parse(line));
  } catch {
    return line;
  }
}

function cut(text: string | null, maxChars: number): ReferencedLines {
  if (text === null) throw new Error(strings.failures.linesGone);
  return { text: text.slice(0, maxChars), cut: text.length > maxChars };
}
