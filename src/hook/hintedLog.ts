/** What the hints of a conversation replaced, according to the end of its log. */
import type { LostText } from "../dedup/lostTexts.js";
import { namedIn } from "../dedup/runs/runHints.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import { type Fact, type ResultFact, withStrings } from "../log/facts.js";
import { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { LogTexts } from "./logTexts.js";

/** A compaction keeps nothing farther from the end. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** Each has its line read again; far more than are given. */
const MAX_TEXTS = 256;

/** A text that a hint replaced. */
export interface Source extends Pick<ResultFact, "id" | "uuid" | "offset" | "tool" | "target"> {
  /** The member of the call's input; undefined for its result. */
  readonly input: string | undefined;
}

/** What a hint names, and the result that it is in. */
interface Hint {
  readonly id: string;
  readonly input: string | undefined;
  readonly holder: Pick<ResultFact, "id" | "uuid" | "line">;
  readonly request: number;
}

export class HintedLog {
  readonly #results = new Map<string, ResultFact>();
  #hints: Hint[] = [];
  #request = 0;
  /** The lines that the current compaction keeps, if that is in the log already. */
  readonly kept = new Set<string>();
  /** By result, where the log first says that it was cleared. */
  readonly cleared = new Map<string, number>();

  constructor(log: string) {
    readEnd(log, fact => this.#take(fact));
  }

  /** What hints refer to, newest first. `isOfNewest`: only hints in results of the newest message, or only the others. */
  sources(isOfNewest?: boolean): Source[] {
    const hints = this.#hints.filter(({ holder, request }) => {
      const isWanted = isOfNewest === undefined || isOfNewest === (request === this.#request);
      return isWanted && !this.cleared.has(holder.id);
    });
    const found = hints.reverse().map(one => [keyOf(one), sourceOf(one, this.#results.get(one.id))] as const);
    return [...new Map(found).values()];
  }

  #take(fact: Fact): void {
    if (fact.fact === "request" && !fact.continued) {
      this.#request++;
      this.kept.clear();
    } else if (fact.fact === "boundary") {
      this.kept.clear();
      for (const uuid of fact.preserved) this.kept.add(uuid);
      this.#hints = this.#hints.filter(({ holder }) => this.kept.has(holder.uuid));
    } else if (fact.fact === "clear" && fact.ids !== "all") {
      for (const id of fact.ids) if (!this.cleared.has(id)) this.cleared.set(id, fact.offset);
    } else if (fact.fact === "rewind") {
      this.#hints = this.#hints.filter(({ holder }) => holder.line <= fact.toLine);
    } else if (fact.fact === "result") {
      const { id, uuid, line, body } = fact;
      this.#results.set(id, fact);
      const holder = { id, uuid, line };
      for (const named of namedIn(body ?? "")) this.#hints.push({ ...named, holder, request: this.#request });
    }
  }
}

/** With their texts, as far as the log has them. */
export function lostIn(log: string, sources: readonly Source[]): LostText[] {
  const known = sources.filter(({ offset }) => offset >= 0).slice(0, MAX_TEXTS);
  const texts = LogTexts.with(log, inLog => new Map(known.map(place => [place, inLog.at(place)])));
  return sources.map(source => ({ ...source, text: texts.get(source) }));
}

export function keyOf({ id, input }: Pick<Source, "id" | "input">): string {
  return `${id} ${input}`;
}

function sourceOf({ id, input }: Hint, result: ResultFact | undefined): Source {
  const { uuid = "", tool = "", target = "", offset = -1, callOffset = -1 } = result ?? {};
  return { id, input, uuid, tool, target, offset: input === undefined ? offset : callOffset };
}

function readEnd(log: string, take: (fact: Fact) => void): void {
  const agent = agentOfFile(log);
  withOpenFile(log, (file, { size }) => {
    const from = Math.max(0, size - MAX_LOG_BYTES);
    const id = agent ?? "main";
    const reader = new LogReader((context, fact) => context.id === id && take(withStrings(fact)), {
      agentOfFile: agent,
      from,
    });
    readBytes(file, from, size, bytes => reader.push(bytes));
  });
}
