import { basename } from "node:path";
import type { DedupEvent } from "../dedup/events.js";
import { counted, short } from "../words/numbers.js";
import { painter, printable, type Terminal, type Tint } from "./terminal.js";

type Shown = DedupEvent | { kind: "restart" };

const TINTS: Readonly<Record<Shown["kind"], Tint>> = {
  hit: "green",
  nearHit: "green",
  miss: "blue",
  bypass: "dim",
  reask: "magenta",
  invalidate: "red",
  evict: "dim",
  boundary: "yellow",
  clear: "yellow",
  rewind: "yellow",
  shrink: "yellow",
  restart: "magenta",
};

/** One event on one aligned line: time, session, what happened, to what, and why. */
export function eventLine(file: string, context: string, event: Shown, target: string, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const at = "at" in event && event.at !== null ? event.at.slice(11, 19) : "        ";
  const session = basename(file, ".jsonl").slice(0, 8).padEnd(8);
  const tool = "tool" in event ? event.tool : "";
  const size = "bytes" in event ? `${short(event.bytes)}B` : "";
  const subject = context === "main" || context === "" ? target : `${target} (${context})`;
  const head = `${paint("dim", at)}  ${session}  ${paint(TINTS[event.kind], event.kind.padEnd(10))}  `;
  const plain = `${tool.slice(0, 12).padEnd(12)} ${size.padStart(7)}  ${explain(event)}${subject && `  ${subject}`}`;
  const room = Math.max(20, terminal.width - 32);
  const shown = printable(plain);
  return `${head}${shown.length > room ? `${shown.slice(0, room - 1)}…` : shown.trimEnd()}\n`;
}

function explain(event: Shown): string {
  switch (event.kind) {
    case "hit":
    case "nearHit":
      return `= ${event.ref}, ${short(event.savedBytes)}B less`;
    case "miss":
      return event.cause === undefined ? event.why : `${event.why} by ${event.cause}`;
    case "bypass":
      return event.ref === undefined ? event.reason : `${event.reason} = ${event.ref}`;
    case "reask":
      return `= ${event.ref} again, right after a hint`;
    case "invalidate":
      return `${event.id} by ${event.cause}`;
    case "evict":
      return `${event.id} for ${event.cause}`;
    case "boundary":
      return `partition ${event.partition}, ${event.kept.length} kept, ${event.dropped.length} dropped`;
    case "clear":
      return `${counted(event.ids.length, "result")} by ${event.by}`;
    case "rewind":
    case "shrink":
      return `${event.dropped.length} dropped`;
    case "restart":
      return "the log was rewritten; read again from its start";
  }
}
