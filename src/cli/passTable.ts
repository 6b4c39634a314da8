import type { PassesReport, PassReport } from "../inspect/passFigures.js";
import type { Report, SessionReport } from "../inspect/report.js";
import { grouped, percent, short } from "../words/numbers.js";
import { passName } from "../words/strategyNames.js";
import { strings } from "../words/strings.js";
import { counted, fill, moneyText, plural, tokensText } from "../words/text.js";
import type { Column, TitledTable } from "./textTable.js";

const { columns, counts, whatIf: text } = strings;

const PASS_COLUMNS: readonly Column[] = [
  { title: text.pass, wraps: true },
  { title: "Changed", align: "right", dropOrder: 4 },
  { title: columns.hits, align: "right", dropOrder: 3 },
  { title: text.frees, align: "right", tint: "green" },
  { title: columns.ofBytes, align: "right", dropOrder: 2 },
  { title: text.rewritten, align: "right", tint: "yellow" },
  { title: "At first", align: "right", dropOrder: 1 },
  { title: text.paysOff, align: "right" },
];

const PARTITION_COLUMNS: readonly Column[] = [
  { title: "Session", shrinks: true },
  { title: "Conversation", dropOrder: 2 },
  { title: "Partition", align: "right" },
  { title: "Messages", align: "right", dropOrder: 1 },
  { title: columns.hits, align: "right", dropOrder: 3 },
  { title: text.frees, align: "right", tint: "green" },
  { title: text.rewritten, align: "right", tint: "yellow" },
  { title: text.paysOff, align: "right", wraps: true },
];

/** What other systems would do: everything, then where they would free the most. Empty if not requested. */
export function passTables({ passes: all, sessions }: Report, limit: number): TitledTable[] {
  if (all === undefined) return [];
  const basis = [counted(counts.partitions, all.partitions), counted(counts.messages, all.messages)].join(", ");
  const note = `applied once at the end of each of ${basis}; alternatives to hints, never added to them`;
  const rows = all.passes.map(one => [
    passName(one),
    grouped(one.changed),
    grouped(one.stats.dedupHits + one.stats.snippetHits),
    freedText(one.savedTokens),
    one.share === null ? "–" : percent(Math.max(0, one.share), 1),
    short(one.rewrittenTokens),
    costText(one),
    payOffText(one),
  ]);
  const rest = cacheLines(all).join(" ");
  return [{ title: text.passes, note, columns: PASS_COLUMNS, rows, rest }, ...partitionTables(sessions, limit)];
}

function freedText(tokens: number): string {
  return tokens < 0 ? fill(text.adds, { tokens: short(-tokens) }) : short(tokens);
}

/** Money if there are prices, otherwise tokens at the input price. Negative if it is cheaper right away. */
function costText({ usd, units }: Pick<PassReport, "usd" | "units">): string {
  if (usd !== null) return moneyText({ usd });
  return units === null ? strings.app.unknown : short(units);
}

function payOffText({ breakEvenRequests, changed }: Pick<PassReport, "breakEvenRequests" | "changed">): string {
  if (breakEvenRequests === null) return changed === 0 ? "–" : text.unpricedWhy.savesNothing;
  return breakEvenRequests === 0 ? text.atOnce : counted(counts.requests, breakEvenRequests);
}

/** By what all passes together would free, as codetether applies them now. */
function partitionTables(sessions: readonly SessionReport[], limit: number): TitledTable[] {
  const found = sessions.flatMap(session =>
    session.contexts.flatMap(({ id, partitions }) =>
      partitions.flatMap(({ index, passes }) => {
        const all = passes?.passes.find(({ pass, keepLast }) => pass === "applyAll" && keepLast !== 0);
        return passes && all ? { session, id, index, messages: passes.messages, all } : [];
      }),
    ),
  );
  if (found.length === 0) return [];
  const rows = found
    .sort((left, right) => right.all.savedTokens - left.all.savedTokens)
    .slice(0, limit)
    .map(({ session, id, index, messages, all }) => [
      `${session.project ?? ""} ${session.sessionId.slice(0, 8)}`.trim(),
      id,
      grouped(index),
      grouped(messages),
      grouped(all.stats.dedupHits + all.stats.snippetHits),
      freedText(all.savedTokens),
      all.rewrittenTokens === null ? strings.app.unknown : short(all.rewrittenTokens),
      all.unpriced === null ? payOffText({ ...all, changed: 1 }) : text.unpricedWhy[all.unpriced],
    ]);
  const isCut = found.length > rows.length;
  const pass = fill(text.keepingLast, { pass: text.passNames.applyAll, n: 8 });
  return [
    {
      title: "By partition, most freed first",
      note: isCut ? `${pass}, ${rows.length} of ${grouped(found.length)}` : pass,
      ...(isCut && { hint: "(--limit N shows more)" }),
      columns: PARTITION_COLUMNS,
      rows,
    },
  ];
}

/** What Claude Code itself does about the cache, and what the cache did. */
function cacheLines({ partitions, cacheMarks }: PassesReport): string[] {
  const { marked, unmarked, marks, markedTokens, couldReadTokens: could, didReadTokens: did } = cacheMarks;
  const why = [
    [unmarked.tooFew, "with too few results"],
    [unmarked.subagent, "of subagents"],
    [unmarked.provider, "of another provider's model"],
  ].flatMap(([count, reason]) => (count ? `${grouped(Number(count))} ${reason}` : []));
  const others =
    why.length === 0 ? "" : `, but not ${[why.slice(0, -1).join(", "), why.at(-1)].filter(Boolean).join(" and ")}`;
  const served = fill(text.cacheUse, {
    did: short(did),
    could: short(could),
    share: percent(did, could),
    hits: grouped(cacheMarks.hits),
    requests: counted(counts.requests, cacheMarks.requests),
  });
  const found = fill(plural("{n} mark, {tokens} before it|{n} marks, {tokens} before the last ones", marks), {
    n: marks,
    tokens: tokensText(markedTokens),
  });
  return [
    `Cached micro-compaction would mark ${grouped(marked)} of ${counted(counts.partitions, partitions)}${others}${marks === 0 ? "" : `: ${found}`}.`,
    could === 0 ? text.cacheUnknown : served,
  ];
}
