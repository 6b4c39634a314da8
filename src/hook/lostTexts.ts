/** What hints of a compacted conversation stood for, as its log tells. */
import { fstatSync } from "node:fs";
import { type LostText, lostTextsNotice } from "../dedup/lostTexts.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import type { Fact, ResultFact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { bodiesInLog } from "./logBody.js";

/** A compaction keeps nothing that is further from the end. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** A hint line; Read puts a number in front of it. */
const HINT = /^(?: *\d+[\t→:])?> \[(?:near-)?ref: ([^\s,\]]+)/gm;

type Source = Pick<ResultFact, "id" | "uuid" | "offset" | "tool" | "target">;

/** What to tell the model after a compaction; "" if no hint is affected. */
export function lostTexts(log: string): string {
  const { newest, older } = hintedSources(log);
  const known = newest.filter(({ offset }) => offset >= 0);
  const texts = bodiesInLog(log, known);
  const lost = (source: Source): LostText => ({ ...source, text: texts[known.indexOf(source)] });
  return lostTextsNotice([...newest, ...older].map(lost));
}

interface Sources {
  /** Referred to by the results of the newest message, which a compaction keeps if it keeps any. */
  readonly newest: readonly Source[];
  /** Referred to by earlier results, newest first. */
  readonly older: readonly Source[];
}

/** The results that hints in the conversation stand for. */
function hintedSources(log: string): Sources {
  const sources = new Map<string, Source>();
  let hints: { readonly id: string; readonly uuid: string; readonly request: number }[] = [];
  let request = 0;
  /** What the present compaction keeps, if that is in the log already. */
  let kept = new Set<string>();
  readEnd(log, fact => {
    if (fact.fact === "request" && !fact.continued) {
      request++;
      kept.clear();
    } else if (fact.fact === "boundary") {
      kept = new Set(fact.preserved);
      hints = hints.filter(({ uuid }) => kept.has(uuid));
    } else if (fact.fact === "result") {
      const { id, uuid, offset, tool, target, body } = fact;
      sources.set(id, { id, uuid, offset, tool, target });
      for (const [, ref = ""] of body?.toString().matchAll(HINT) ?? []) hints.push({ id: ref, uuid, request });
    }
  });
  const named = (isOfNewest: boolean) => {
    const ids = new Set(hints.filter(hint => (hint.request === request) === isOfNewest).map(({ id }) => id));
    const found = [...ids].reverse().map(id => sources.get(id) ?? { id, uuid: "", offset: -1, tool: "", target: "" });
    return found.filter(({ uuid }) => !kept.has(uuid));
  };
  const newest = named(true);
  return { newest, older: named(false).filter(({ id }) => newest.every(one => one.id !== id)) };
}

function readEnd(log: string, take: (fact: Fact<LogText>) => void): void {
  const agent = agentOfFile(log);
  withOpenFile(log, file => {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - MAX_LOG_BYTES);
    const id = agent ?? "main";
    const reader = new LogReader((context, fact) => context.id === id && take(fact), { agentOfFile: agent, from });
    readBytes(file, from, size, bytes => reader.push(bytes));
  });
}
