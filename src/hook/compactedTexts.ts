/** What the hints of a compacted conversation replaced, according to its log. */
import { type LostText, lostTextsNotice } from "../dedup/lostTexts.js";
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

interface Source extends Pick<ResultFact, "id" | "uuid" | "offset" | "tool" | "target"> {
  /** The member of the call's input; undefined for its result. */
  readonly input: string | undefined;
}

/** What to tell the model after a compaction; "" if no hint is affected. */
export function lostTexts(log: string): string {
  const { newest, older } = hintedSources(log);
  const known = newest.filter(({ offset }) => offset >= 0).slice(0, MAX_TEXTS);
  const texts = LogTexts.with(log, inLog => new Map(known.map(place => [place, inLog.at(place)])));
  const lost = (source: Source): LostText => ({ ...source, text: texts.get(source) });
  return lostTextsNotice([...newest, ...older].map(lost));
}

interface Sources {
  /** Referred to by the results of the newest message, which a compaction keeps if it keeps any. */
  readonly newest: readonly Source[];
  /** Referred to by earlier results, newest first. */
  readonly older: readonly Source[];
}

/** The texts that hints in the conversation refer to. */
function hintedSources(log: string): Sources {
  const results = new Map<string, ResultFact>();
  let hints: {
    readonly id: string;
    readonly input: string | undefined;
    readonly uuid: string;
    readonly request: number;
  }[] = [];
  let request = 0;
  /** What the current compaction keeps, if that is in the log already. */
  let kept = new Set<string>();
  readEnd(log, fact => {
    if (fact.fact === "request" && !fact.continued) {
      request++;
      kept.clear();
    } else if (fact.fact === "boundary") {
      kept = new Set(fact.preserved);
      hints = hints.filter(({ uuid }) => kept.has(uuid));
    } else if (fact.fact === "result") {
      const { uuid, body } = fact;
      results.set(fact.id, fact);
      for (const named of namedIn(body ?? "")) hints.push({ ...named, uuid, request });
    }
  });
  const named = (isOfNewest: boolean) => {
    const own = hints.filter(hint => (hint.request === request) === isOfNewest).reverse();
    const found = new Map(own.map(one => [keyOf(one), sourceOf(one.id, one.input, results.get(one.id))]));
    return [...found.values()].filter(({ uuid }) => !kept.has(uuid));
  };
  const newest = named(true);
  const known = new Set(newest.map(keyOf));
  return { newest, older: named(false).filter(source => !known.has(keyOf(source))) };
}

function keyOf({ id, input }: Pick<Source, "id" | "input">): string {
  return `${id} ${input}`;
}

function sourceOf(id: string, input: string | undefined, result: ResultFact | undefined): Source {
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
