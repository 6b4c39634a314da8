import type { MARK_MEMBERS } from "../dedup/events.js";
import type { ReadGate } from "../inspect/gates.js";
import type { MarkKind, Outcome } from "../inspect/outcomes.js";

/** The words of an outcome, the same in the page, in VS Code and in a terminal. */
export interface OutcomeWords {
  /** As a heading. */
  readonly title: string;
  /** Within a sentence or after a number: `one|many`. */
  readonly name: string;
  /** In a row of a list. `{call}` is the other call; if that is unknown, the name is used instead. */
  readonly line?: string;
  /** The same without an icon or a title next to it. */
  readonly textLine?: string;
  readonly summary: string;
  /** What happened, in full sentences. */
  readonly fact: string;
  /** The same if the other call is unknown. */
  readonly factAlone?: string;
}

/** Placeholders are its members by name: calls are counted, choices have words of their own. */
interface MarkWords {
  readonly title: string;
  readonly line: string;
  readonly fact: string;
  /** What it did to a result that was lost with it. */
  readonly lost: string;
}

/** Nothing shows how something was dropped (`by`) as such. */
type ChoicesOf<Members> = {
  readonly [Name in keyof Members as Members[Name] extends readonly string[] ? Exclude<Name, "by"> : never]: Readonly<
    Record<Extract<Members[Name], readonly string[]>[number], string>
  >;
};

const SEEN = "{size}. The model had seen this text before, but";

/** What happened to results and between them: see strings.ts. A new outcome or mark does not compile without words. */
export const outcomeStrings = {
  outcomes: {
    hit: {
      title: "Hit",
      name: "hit|hits",
      line: "= {call}",
      textLine: "hit = {call}",
      summary: "Identical to an earlier result",
      fact: "{size}, byte-identical to {call} ({distance} earlier, same partition). A hint would save {saved}, sent again in {requests}.",
      factAlone: "{size}, byte-identical to an earlier result. A hint would save {saved}, sent again in {requests}.",
    },
    nearHit: {
      title: "Near hit",
      name: "near hit|near hits",
      line: "≈ {call}",
      textLine: "near hit ≈ {call}",
      summary: "Identical except for a few values",
      fact: "{size}, the same as {call} except for a few values ({distance} earlier). A hint would save {saved}, sent again in {requests}.",
      factAlone:
        "{size}, the same as an earlier result except for a few values. A hint would save {saved}, sent again in {requests}.",
    },
    "miss:new": {
      title: "Miss",
      name: "new",
      summary: "New text",
      fact: "{size}. The model had not seen this text before.",
    },
    "miss:evicted": {
      title: "Miss",
      name: "evicted",
      line: "evicted (capacity {capacity})",
      summary: "Evicted from the cache",
      fact: `${SEEN} it had been evicted from the cache (capacity {capacity}).`,
    },
    "miss:invalidated": {
      title: "Miss",
      name: "invalidated",
      line: "invalidated by {call}",
      summary: "Made stale by an edit",
      fact: `${SEEN} {call} changed what it shows.`,
      factAlone: `${SEEN} it had been made stale.`,
    },
    "miss:compacted": {
      title: "Miss",
      name: "compacted",
      summary: "Compacted away",
      fact: `${SEEN} the context has been compacted since.`,
    },
    "miss:cleared": {
      title: "Miss",
      name: "cleared",
      summary: "Cleared from the context",
      fact: `${SEEN} it had been cleared from the context.`,
    },
    "miss:rewound": {
      title: "Miss",
      name: "rewound",
      summary: "Removed by a rewind",
      fact: `${SEEN} the conversation has been rewound since.`,
    },
    "miss:shrunk": {
      title: "Miss",
      name: "dropped",
      line: "dropped (no log entry)",
      summary: "Dropped from the context (no log entry)",
      fact: `${SEEN} the context has shrunk since, and the log does not say why.`,
    },
    "miss:parallel": {
      title: "Miss",
      name: "parallel",
      line: "in the same message",
      summary: "Repeated within one message",
      fact: "{size}. Another call of the same message returned the same text: results of one message do not refer to one another.",
    },
    "miss:afterEdit": {
      title: "Miss",
      name: "after an edit",
      line: "run again after an edit",
      summary: "Command run again after an edit",
      fact: `${SEEN} a file was edited since: the output of a command that is run again is shown in full.`,
    },
    "miss:fixed": {
      title: "Miss",
      name: "not replaceable",
      line: "cannot be replaced",
      summary: "Settings hooks cannot replace it",
      fact: `${SEEN} the tool's results cannot be replaced by settings hooks.`,
    },
    "miss:stopped": {
      title: "Miss",
      name: "hints stopped",
      line: "hints have stopped",
      summary: "Live hints have stopped here",
      fact: `${SEEN} live hints have stopped in this conversation: the model asked again too often.`,
    },
    "bypass:small": {
      title: "Skipped",
      name: "too small",
      summary: "Too small for a hint",
      fact: "{size}. Smaller than {minBytes}, or too short for a hint of half its length.",
    },
    "bypass:mutation": {
      title: "Skipped",
      name: "edit confirmed|edits confirmed",
      summary: "Confirmation of an edit",
      fact: "{size}. It confirms an edit, so it is never replaced: there must be no doubt whether an edit was made.",
    },
    "bypass:error": {
      title: "Skipped",
      name: "error|errors",
      summary: "Error",
      fact: "{size}. Errors are never replaced.",
    },
    "bypass:nonText": {
      title: "Skipped",
      name: "not text",
      summary: "Not text",
      fact: "{size}. Not only text (an image, for example), so it is never replaced.",
    },
    "bypass:native": {
      title: "Unchanged",
      name: "unchanged",
      line: "unchanged since {call}",
      summary: "Saved by Claude Code",
      fact: "Claude Code answered with a stub: unchanged since {call}. That saved {saved}.",
      factAlone: "Claude Code answered with a stub. How much that saved is unknown.",
    },
    "bypass:realised": {
      title: "Live hint",
      name: "live hint|live hints",
      line: "live hint to {call}",
      summary: "Saved by a live hint",
      fact: "A live hint to {call} was sent instead. That saved {saved}.",
      factAlone: "A live hint was sent instead. How much that saved is unknown.",
    },
  } satisfies Record<Outcome, OutcomeWords>,
  /** A miss with some lines that become hints, whatever its outcome. */
  partial: {
    title: "Repeats in part",
    name: "repeats in part|repeat in part",
    line: "{share} in {call}",
    textLine: "{share} in {call}",
    summary: "Some lines are in an earlier result or call",
    fact: "Hints would save {saved} of {size}, sent again in {requests}.",
    factAlone: "Hints would save {saved} of {size}, sent again in {requests}.",
  } satisfies OutcomeWords,
  /** How the breakdown distinguishes results with new text. */
  readGates: {
    otherRange: { name: "other lines", summary: "Other lines of a file read before" },
    changed: { name: "changed since", summary: "Same lines of a file, changed since" },
  } satisfies Record<ReadGate, Pick<OutcomeWords, "name" | "summary">>,
  /** Added to the line of a result or to its facts. */
  earlierLine: "was {call}, {why}",
  earlierFact: "It was in {call}. A hint would have saved {saved}.",
  reaskLine: "asked again after the live hint in {call}",
  reaskFact: "A live hint replaced the same text in {call}, and the model asked again: what the hint saved is lost.",
  marks: {
    invalidate: {
      title: "Invalidation",
      line: "made {call} stale",
      fact: "{call} changed what {dropped} shows.",
      lost: "Made stale by {call}.",
    },
    boundary: {
      title: "Compaction",
      line: "partition {number} ends · {kept} kept",
      fact: "{trigger}: the context was replaced by a summary, and a new partition begins.",
      lost: "Removed by the compaction after {call}.",
    },
    clear: {
      title: "Clear",
      line: "cleared from the context · {dropped} dropped",
      fact: "Individual results were cleared from the context to free space.",
      lost: "Cleared from the context after {call}.",
    },
    rewind: {
      title: "Rewind",
      line: "the conversation was rewound · {dropped} dropped",
      fact: "The conversation was rewound to an earlier point.",
      lost: "Removed when the conversation was rewound after {call}.",
    },
    shrink: {
      title: "Shrink",
      line: "the context shrank · {dropped} dropped",
      fact: "The next request was much shorter, and the log does not say why. Nothing from before can be referenced.",
      lost: "Dropped when the context shrank after {call}.",
    },
    fallback: {
      title: "Fallback",
      line: "live hints: {level} · asked again {asked} of {hinted} times",
      fact: "The model asked again for {asked} of {hinted} results that had live hints. From here on: {level}.",
      lost: "Live hints fell back after {call}.",
      level: { all: "all", whole: "only whole results", none: "none" },
    },
  } satisfies { readonly [K in MarkKind]: MarkWords & ChoicesOf<(typeof MARK_MEMBERS)[K]> },
  markDetails: {
    /** If the log no longer has the call. */
    invalidateAlone: "made an earlier result stale",
    invalidateByTool: "According to the settings, {call} makes results such as {dropped} stale.",
    auto: "Auto-compaction",
    manual: "Manual compaction",
    tokensFromTo: "{before} → {after} tokens",
  },
  /** What only `watch` shows as a line of its own. */
  watched: {
    reask: "Asked again",
    restart: "Restart",
    saves: "saves {bytes}",
    reasked: "{call}, right after a hint",
    invalidated: "{call}, by {cause}",
    restarted: "the log was rewritten; reading it again from the start",
  },
} as const;
