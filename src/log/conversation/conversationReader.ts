import { type Bytes, textOf } from "../bytes.js";
import { type ContextChange, changesOf, contextIdOf, isSynthetic } from "../contextRules.js";
import { type LineSink, LineSplitter } from "../lineSplitter.js";
import { MAX_CONTEXTS } from "../logHeader.js";
import { type LogRecord, membersOf, recordOf, stringOf } from "../record.js";
import { Conversation, type LineLinks } from "./conversation.js";
import type { LiveList } from "./message.js";
import { partsOf, usageOf } from "./messageParts.js";

export interface ConversationOptions {
  readonly agentOfFile?: string | undefined;
  /** Further contexts are skipped, but never the main conversation. */
  readonly maxContexts?: number;
  /** Called at every compaction; without a list for a copied boundary, which compacts nothing. */
  readonly beforeCompaction?: (context: string, live: (() => LiveList) | undefined) => void;
}

/**
 * Rebuilds the conversations of one log from its bytes, pushed in pieces of any size. It keeps all texts of the live
 * messages, so it is for a single session; `LogReader` is for all of them.
 */
export class ConversationReader implements LineSink {
  /** By context: `main` or a subagent's id. */
  readonly contexts = new Map<string, Conversation>();
  /** Lines that are not a JSON object, are too long, or failed. */
  badLines = 0;
  readonly #splitter = new LineSplitter(this);
  readonly #options: ConversationOptions;

  constructor(options: ConversationOptions = {}) {
    this.#options = options;
  }

  push(chunk: Bytes): void {
    this.#splitter.push(chunk);
  }

  dropUnfinished(): void {
    this.#splitter.dropUnfinished();
  }

  overlong(): void {
    this.badLines++;
  }

  failed(): void {
    this.badLines++;
  }

  line(bytes: Bytes, start: number, end: number): void {
    const line = recordOf(textOf(bytes, start, end));
    if (line === undefined) this.badLines++;
    else this.#take(line);
  }

  #take(line: LogRecord): void {
    const uuid = stringOf(line.uuid);
    const id = contextIdOf(line, this.#options.agentOfFile);
    const conversation = this.#conversationOf(id);
    if (conversation === undefined) return;
    const isNew = conversation.isNew(uuid);
    for (const change of changesOf(line)) {
      if (change.change === "compaction") {
        this.#options.beforeCompaction?.(id, isNew ? () => conversation.live() : undefined);
      }
      if (isNew) apply(change, conversation);
    }
    if (isNew) takeIn(line, { uuid, parent: line.parentUuid }, conversation);
  }

  /** Undefined for a new context beyond the limit. */
  #conversationOf(id: string): Conversation | undefined {
    const known = this.contexts.get(id);
    if (known !== undefined || (id !== "main" && this.contexts.size >= (this.#options.maxContexts ?? MAX_CONTEXTS)))
      return known;
    const conversation = new Conversation();
    this.contexts.set(id, conversation);
    return conversation;
  }
}

function apply(change: ContextChange, conversation: Conversation): void {
  switch (change.change) {
    case "continue":
      return conversation.continueFrom(change.from);
    case "compaction":
      return conversation.compact(change.preserved);
    case "clear":
      return conversation.clear(change.results);
    default:
      change satisfies never;
  }
}

/** Adds what the model gets from the line. */
function takeIn(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  const message = membersOf(line.message);
  const attachment = membersOf(line.attachment);
  if (line.type === "user") {
    const parts = partsOf(message["content"]);
    if (line.isCompactSummary === true) conversation.summary(links.uuid, parts);
    else conversation.say(links, parts);
  } else if (line.type === "assistant" && !isSynthetic(message)) {
    conversation.answer(links, partsOf(message["content"]), stringOf(message["id"]), usageOf(message));
  } else if (line.type === "attachment" && attachment["type"] === "queued_command") {
    // What the user typed while the model was busy. Other attachments are reminders whose text the log does not hold.
    conversation.say(links, partsOf(attachment["prompt"]));
  } else conversation.pass(links);
}
