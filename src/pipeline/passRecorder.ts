import { type MeasuredPartition, measurePartition } from "../inspect/passFigures.js";
import type { Bytes } from "../log/bytes.js";
import { ConversationReader } from "../log/conversation/conversationReader.js";
import type { LiveList } from "../log/conversation/message.js";
import { MAX_COMPACTIONS } from "../log/logHeader.js";

/** Each is measured by every pass, and a hostile log could be compacted at every line; real ones have a few dozen. */
const MAX_MEASURED = 256;

/** Measures the passes of other systems on what each context of a log held at the end of each partition. */
export class PassRecorder {
  readonly #conversations: ConversationReader;
  /** By context; null where nothing was held, or not measured any more. */
  readonly #partitions = new Map<string, (MeasuredPartition | null)[]>();
  #compactions = 0;
  #measured = 0;

  constructor(agentOfFile: string | undefined) {
    this.#conversations = new ConversationReader({
      agentOfFile,
      beforeCompaction: (context, live) => this.#endPartition(context, live),
    });
  }

  push(chunk: Bytes): void {
    this.#conversations.push(chunk);
  }

  dropUnfinished(): void {
    this.#conversations.dropUnfinished();
  }

  /** Partitions in order, with the one that has not ended. */
  partitionsOf(context: string): readonly (MeasuredPartition | null)[] {
    const live = this.#conversations.contexts.get(context)?.live();
    return [...(this.#partitions.get(context) ?? []), live === undefined ? null : this.#measure(context, live)];
  }

  #endPartition(context: string, live: LiveList | undefined): void {
    // Compactions beyond the limit begin no partition.
    if (++this.#compactions > MAX_COMPACTIONS) return;
    const known = this.#partitions.get(context) ?? [];
    known.push(live === undefined || ++this.#measured > MAX_MEASURED ? null : this.#measure(context, live));
    this.#partitions.set(context, known);
  }

  #measure(context: string, live: LiveList): MeasuredPartition | null {
    return measurePartition(live, context !== "main");
  }
}
