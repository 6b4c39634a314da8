import { type MeasuredPartition, measurePartition } from "../inspect/passFigures.js";
import type { Bytes } from "../log/bytes.js";
import { ConversationReader } from "../log/conversation/conversationReader.js";
import type { LiveList } from "../log/conversation/message.js";
import { MAX_COMPACTIONS } from "../log/logHeader.js";

/**
 * Every pass measures each of these, and a hostile log could begin a context or be compacted on every line. Real logs
 * have a few dozen of both.
 */
const MAX_COMPACTED = 256;
const MAX_CONTEXTS = 256;

/** Measures the passes of other systems on what each context of a log held at the end of each partition. */
export class PassRecorder {
  readonly #conversations: ConversationReader;
  /** By context; null if nothing was held, or beyond the limits. */
  readonly #ended = new Map<string, (MeasuredPartition | null)[]>();
  #compactions = 0;

  constructor(agentOfFile: string | undefined) {
    this.#conversations = new ConversationReader({
      agentOfFile,
      maxContexts: MAX_CONTEXTS,
      beforeCompaction: (context, live) => this.#endPartition(context, live),
    });
  }

  push(chunk: Bytes): void {
    this.#conversations.push(chunk);
  }

  dropUnfinished(): void {
    this.#conversations.dropUnfinished();
  }

  /** By context, its partitions in order, including the current one. */
  partitions(): ReadonlyMap<string, readonly (MeasuredPartition | null)[]> {
    const contexts = [...this.#conversations.contexts];
    return new Map(
      contexts.map(([id, conversation]) => {
        const last = measurePartition(conversation.live(), id !== "main");
        return [id, [...(this.#ended.get(id) ?? []), last]];
      }),
    );
  }

  #endPartition(context: string, live: (() => LiveList) | undefined): void {
    // Compactions beyond the limit begin no partition.
    if (++this.#compactions > MAX_COMPACTIONS) return;
    const isMeasured = live !== undefined && this.#compactions <= MAX_COMPACTED;
    const ended = this.#ended.get(context) ?? [];
    ended.push(isMeasured ? measurePartition(live(), context !== "main") : null);
    this.#ended.set(context, ended);
  }
}
