import { type Bytes, textOf } from "../bytes.js";
import { SYNTHETIC_MODEL } from "../calibration.js";
import { clearsResults, cutResults } from "../clearing.js";
import { MAX_CONTEXTS } from "../header.js";
import {
  contextIdOf,
  type LogRecord,
  listOf,
  membersOf,
  preservedBy,
  recordOf,
  stringOf,
  stringsOf,
} from "../record.js";
import { type LineSink, LineSplitter } from "../splitter.js";
import { Conversation, type LineLinks } from "./conversation.js";
import { partsOf, usageOf } from "./parts.js";

/**
 * Rebuilds the conversations of one log from its bytes, pushed in pieces of any size. It holds all texts of the live
 * messages: this is for the one session that somebody looks at, where the reader of facts is for all of them.
 */
export class ConversationReader implements LineSink {
  /** By context: `main` or a subagent's id. */
  readonly contexts = new Map<string, Conversation>();
  /** Lines that are no JSON object, or too long, or could not be taken in. */
  badLines = 0;
  readonly #splitter = new LineSplitter(this);
  readonly #agentOfFile: string | undefined;

  constructor(options: { agentOfFile?: string | undefined } = {}) {
    this.#agentOfFile = options.agentOfFile;
  }

  push(chunk: Bytes): void {
    this.#splitter.push(chunk);
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
    const conversation = this.#conversationOf(line);
    if (!conversation?.isNew(uuid)) return;
    const links = { uuid, parent: line.parentUuid };
    switch (line.type) {
      case "user":
        return takeUser(line, links, conversation);
      case "assistant":
        return takeAssistant(line, links, conversation);
      case "system":
        return takeSystem(line, links, conversation);
      case "attachment":
        return takeAttachment(line, links, conversation);
      case "content-replacement":
        return takeReplacements(line, links, conversation);
      default:
        return conversation.pass(links);
    }
  }

  /** Undefined for a further one where there are too many already: see `MAX_CONTEXTS`. */
  #conversationOf(line: LogRecord): Conversation | undefined {
    const id = contextIdOf(line, this.#agentOfFile);
    const known = this.contexts.get(id);
    if (known !== undefined || (id !== "main" && this.contexts.size >= MAX_CONTEXTS)) return known;
    const conversation = new Conversation();
    this.contexts.set(id, conversation);
    return conversation;
  }
}

function takeUser(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  const parts = partsOf(membersOf(line.message)["content"]);
  if (line.isCompactSummary === true) return conversation.summary(links.uuid, parts);
  const { parent } = links;
  const isPrompt = !parts.some(part => part.kind === "result");
  if (isPrompt && (parent === null || typeof parent === "string")) conversation.goOnFrom(parent);
  conversation.say(links, parts);
}

function takeAssistant(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  const message = membersOf(line.message);
  // Made locally, such as an API error: no model said it, and none is told.
  if (message["model"] === SYNTHETIC_MODEL) return conversation.pass(links);
  if (clearsResults(message)) conversation.clearedUnseen();
  conversation.answer(links, partsOf(message["content"]), stringOf(message["id"]), usageOf(message));
}

function takeSystem(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  if (typeof links.parent === "string") conversation.goOnFrom(links.parent);
  if (line.subtype === "compact_boundary") {
    return conversation.compact(links.uuid, preservedBy(line));
  }
  if (line.subtype === "microcompact_boundary") {
    conversation.replace(stringsOf(membersOf(line.microcompactMetadata)["compactedToolIds"]));
  }
  conversation.pass(links);
}

/** Attachments are reminders whose text the log does not hold, but for what the user typed while the model was busy. */
function takeAttachment(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  const attachment = membersOf(line.attachment);
  const cut = cutResults(attachment);
  if (cut !== undefined) conversation.replace(cut);
  if (attachment["type"] === "queued_command") conversation.say(links, partsOf(attachment["prompt"]));
  else conversation.pass(links);
}

function takeReplacements(line: LogRecord, links: LineLinks, conversation: Conversation): void {
  for (const one of listOf(line.replacements).map(membersOf)) {
    conversation.replace(stringsOf([one["toolUseId"]]), stringOf(one["replacement"]));
  }
  conversation.pass(links);
}
