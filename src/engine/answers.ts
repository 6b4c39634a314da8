/** Answers what pages and the program around ask for, as far as the engine can; the rest is errands for that program. */
import type { Ask, ReferencedLines, ToHost } from "../protocol/messages.js";
import { type Comparisons, isComparison } from "./compare/comparisons.js";
import type { FromEngine, ToEngine } from "./engineMessages.js";
import type { Panel } from "./panel.js";
import { answer, type QueryWorld } from "./queries.js";
import { findCall } from "./texts/findCall.js";

/** A card shows the beginning of a text; the transcript has all of it. */
const DETAIL_CHARS = 4000;

export class Answers {
  readonly #world: QueryWorld;
  readonly #comparisons: Comparisons;
  readonly #post: (message: FromEngine) => void;

  constructor(world: QueryWorld, comparisons: Comparisons, post: (message: FromEngine) => void) {
    this.#world = world;
    this.#comparisons = comparisons;
    this.#post = post;
  }

  async toPage(panel: Panel, { id, ask }: Extract<ToHost, { type: "request" }>): Promise<void> {
    const { session = "", context } = panel;
    try {
      if (session === "" && needsSession(ask)) throw new Error("no session is selected");
      const answered = this.#answer(ask, session, context);
      if (answered === undefined) {
        return this.#post({ type: "errand", errand: { panel: panel.id, id, ask, session, context } });
      }
      const result = (await answered) ?? null;
      this.#post({ type: "page", panel: panel.id, message: { type: "reply", id, result } });
    } catch (error) {
      const { message } = error as Error;
      this.#post({ type: "page", panel: panel.id, message: { type: "failure", id, message } });
    }
  }

  async toProgram({ id, query }: Extract<ToEngine, { type: "query" }>): Promise<void> {
    try {
      const isEmitted = query.name === "compare" && query.strategy !== undefined;
      const result = isEmitted
        ? await this.#comparisons.compareEmitted(query, query.row, query.strategy)
        : answer(query, this.#world);
      this.#post({ type: "answer", id, result });
    } catch (error) {
      this.#post({ type: "answer", id, problem: (error as Error).message });
    }
  }

  #lines(ask: Extract<Ask, { method: "lines" }>, session: string, context: string): ReferencedLines {
    const text = this.#world.open(session).lines(context, ask.row, ask.input, ask.from, ask.to);
    if (text === null) throw new Error("these lines are no longer in the log");
    return cut(text);
  }

  /** Undefined for what only the program around can do. */
  #answer(ask: Ask, session: string, context: string): unknown {
    if (isComparison(ask)) return this.#comparisons.answer(ask, { session, context }, DETAIL_CHARS);
    if (ask.method === "details") return this.#world.open(session).details(context, ask.row, DETAIL_CHARS) ?? null;
    if (ask.method === "find") return findCall(this.#world.open(session), context, ask);
    if (ask.method === "lines") return this.#lines(ask, session, context);
    if (ask.method !== "transcript") return undefined;
    const { fromRow, count } = ask;
    return answer({ name: "transcript", session, context, fromRow, count }, this.#world, DETAIL_CHARS);
  }
}

/** As much as is shown of it. */
function cut(text: string): ReferencedLines {
  return { text: text.slice(0, DETAIL_CHARS), cut: text.length > DETAIL_CHARS };
}

function needsSession(ask: Ask): boolean {
  return "row" in ask || "fromRow" in ask || (isComparison(ask) && ask.method !== "compareAll");
}
