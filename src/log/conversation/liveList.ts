import type { LiveRequest, Message, Part, RequestUsage } from "./message.js";

/** What one line adds to the conversation. */
export interface Utterance {
  readonly role: "user" | "assistant";
  readonly parts: readonly Part[];
  /** The API's id of the answer; each of its blocks is a line. */
  readonly messageId: string | undefined;
  readonly usage: RequestUsage | undefined;
}

/** A message being built; an answer collects the results of its calls. */
interface Draft {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: Part[];
  readonly results: Part[];
  usage: RequestUsage | undefined;
}

/** Joins lines into messages: the lines of an answer, the results of its calls, consecutive texts. */
export function liveList(
  turns: readonly Utterance[],
  replaced: ReadonlyMap<string, string>,
): { messages: Message[]; requests: LiveRequest[] } {
  const drafts: Draft[] = [];
  const answerOf = new Map<string, Draft>();
  let answer: Draft | undefined;
  let answerId: string | undefined;
  const begin = (role: Draft["role"]) => {
    const draft: Draft = { role, parts: [], results: [], usage: undefined };
    drafts.push(draft);
    return draft;
  };
  /** The message to add a part to: the last one, if it has this role. */
  const joined = (role: "user" | "tool") => {
    const last = drafts.at(-1);
    return last?.role === role ? last : begin(role);
  };
  for (const { role, parts, messageId, usage } of turns) {
    if (role === "assistant") {
      if (answer === undefined || messageId === undefined || messageId !== answerId) answer = begin("assistant");
      answerId = messageId;
      answer.usage = mergedUsage(answer.usage, usage);
      for (const part of parts) {
        answer.parts.push(part);
        if (part.kind === "call") answerOf.set(part.id, answer);
      }
      continue;
    }
    for (const part of parts) {
      if (part.kind !== "result") joined("user").parts.push(part);
      else {
        const text = replaced.get(part.id);
        const now = text === undefined ? part : { ...part, text };
        (answerOf.get(part.id)?.results ?? joined("tool").parts).push(now);
      }
    }
  }
  return finished(drafts);
}

function finished(drafts: readonly Draft[]): { messages: Message[]; requests: LiveRequest[] } {
  const messages: Message[] = [];
  const requests: LiveRequest[] = [];
  for (const { role, parts, results, usage } of drafts) {
    if (usage !== undefined) requests.push({ ...usage, answer: messages.length });
    messages.push({ role, parts });
    if (results.length > 0) messages.push({ role: "tool", parts: results });
  }
  return { messages, requests };
}

/** The lines of one answer repeat its usage; early ones may have a placeholder for the output. */
function mergedUsage(known: RequestUsage | undefined, next: RequestUsage | undefined): RequestUsage | undefined {
  if (known === undefined || next === undefined) return known ?? next;
  return { ...(known.input > 0 ? known : next), output: Math.max(known.output, next.output) };
}
