import { bytesOf, textOf, utf8Length } from "../../log/bytes.js";
import type { Message } from "../../log/conversation/message.js";
import { oldCount, PassCounter, type PassResult, rewriteParts } from "./pass.js";

const KEEP_LAST = 8;
const MIN_BYTES = 4096;
const HEAD_BYTES = 1024;
const TAIL_BYTES = 1024;

/** Keeps only the beginning and the end of large old results. */
export function snippet(messages: readonly Message[]): PassResult {
  const counter = new PassCounter();
  const rewritten = rewriteParts(messages, oldCount(messages, KEEP_LAST), part => {
    if (part.kind !== "result" || part.text === null || utf8Length(part.text) < MIN_BYTES) return part;
    if (part.text.includes("[...elided") || part.text.startsWith("[DEDUP]")) return part;
    const text = headAndTail(part.text);
    counter.replaced(part.text, text);
    return { ...part, text };
  });
  return { messages: rewritten, stats: counter.stats("snippetHits") };
}

function headAndTail(text: string): string {
  const bytes = bytesOf(text);
  let head = HEAD_BYTES;
  while (isInsideCharacter(bytes[head])) head--;
  let tail = bytes.length - TAIL_BYTES;
  while (isInsideCharacter(bytes[tail])) tail++;
  const mark = `\n[...elided ${tail - head} bytes...]\n`;
  return textOf(bytes, 0, head) + mark + textOf(bytes, tail, bytes.length);
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
