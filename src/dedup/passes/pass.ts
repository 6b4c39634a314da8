/**
 * What other systems do to the messages of a context, rebuilt from their behavior (docs/references.md). Unlike hints,
 * these passes rewrite history, so they are only shown as projections. A pass changes nothing in place; unchanged
 * messages stay the same objects.
 */
import { utf8Length } from "../../log/bytes.js";
import type { Message, Part } from "../../log/conversation/message.js";

/** As codetether counts them: repeats that were replaced, everything else that was changed, and UTF-8 bytes. */
export interface PassStats {
  readonly dedupHits: number;
  readonly snippetHits: number;
  readonly totalBytesSaved: number;
}

export interface PassResult {
  readonly messages: readonly Message[];
  readonly stats: PassStats;
}

export const NO_STATS: PassStats = { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 };

export function mergeStats(left: PassStats, right: PassStats): PassStats {
  return {
    dedupHits: left.dedupHits + right.dedupHits,
    snippetHits: left.snippetHits + right.snippetHits,
    totalBytesSaved: left.totalBytesSaved + right.totalBytesSaved,
  };
}

/** Counts what a pass does. */
export class PassCounter {
  #hits = 0;
  #bytes = 0;

  /** One text replaced another. A longer one saves nothing, but still counts as a hit. */
  replaced(before: string, after: string): void {
    this.hit(Math.max(0, utf8Length(before) - utf8Length(after)));
  }

  hit(bytesSaved = 0): void {
    this.#hits++;
    this.#bytes += bytesSaved;
  }

  stats(as: "dedupHits" | "snippetHits"): PassStats {
    return { ...NO_STATS, [as]: this.#hits, totalBytesSaved: this.#bytes };
  }
}

/** How many messages are old: all but the last `keep`. */
export function oldCount(messages: readonly Message[], keep: number): number {
  return Math.max(0, messages.length - keep);
}

/** Rewrites the parts of the first `count` messages. */
export function rewriteParts(
  messages: readonly Message[],
  count: number,
  rewrite: (part: Part, role: Message["role"]) => Part,
): Message[] {
  return messages.map((message, index) => {
    if (index >= count) return message;
    const parts = message.parts.map(part => rewrite(part, message.role));
    return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
  });
}
