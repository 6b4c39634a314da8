import { utf8Length } from "../../log/bytes.js";
import type { Message } from "../../log/conversation/message.js";
import { oldCount, PassCounter, type PassResult, rewriteParts } from "./pass.js";

const KEEP_LAST = 6;
const FENCE = "```";
const NOISE = new Set(".…-_*=");

/** Removes blank lines, rules and runs of spaces from old answers, except in code fences. */
export function pruneLowEntropy(messages: readonly Message[]): PassResult {
  const counter = new PassCounter();
  const rewritten = rewriteParts(messages, oldCount(messages, KEEP_LAST), (part, role) => {
    if (part.kind !== "text" || role !== "assistant") return part;
    const text = prunedText(part.text);
    if (utf8Length(text) >= utf8Length(part.text)) return part;
    counter.replaced(part.text, text);
    return { ...part, text };
  });
  return { messages: rewritten, stats: counter.stats("snippetHits") };
}

/** Indentation and horizontal rules are lost, as in codetether. */
function prunedText(text: string): string {
  let pruned = "";
  let inCode = false;
  let inNoise = false;
  for (const line of linesOf(text)) {
    const isFence = line.trimStart().startsWith(FENCE);
    if (isFence) inCode = !inCode;
    if (isFence || inCode) {
      pruned += line;
      if (isFence) inNoise = false;
      continue;
    }
    const trimmed = line.trimEnd();
    if (isNoise(trimmed)) {
      if (!inNoise) pruned += "\n";
      inNoise = true;
      continue;
    }
    inNoise = false;
    pruned += trimmed.replace(/ {2,}/g, " ");
    if (line.endsWith("\n")) pruned += "\n";
  }
  return pruned;
}

/** Lines with their newline; no empty one after the last. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function isNoise(line: string): boolean {
  for (const character of line) if (!NOISE.has(character)) return false;
  return true;
}
