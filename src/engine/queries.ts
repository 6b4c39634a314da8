import type { Ratios } from "../log/calibration.js";
import type { ComparedTexts, SessionItem, TranscriptPart } from "../protocol/messages.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import type { LogLineText, Query } from "./engineMessages.js";
import type { SessionView } from "./sessionView.js";
import { lineAt } from "./texts/callTexts.js";
import { readableJson } from "./texts/readableJson.js";

export interface QueryWorld {
  sessions(): readonly SessionItem[];
  ratios(): Ratios;
  open(key: string): SessionView;
}

/** Answers a question that needs texts from the logs. Throws an Error with one clear line where it cannot. */
export function answer(query: Query, world: QueryWorld, mostChars = Number.POSITIVE_INFINITY): unknown {
  switch (query.name) {
    case "sessions":
      return world.sessions();
    case "transcript":
      return transcript(world.open(query.session), query.context, query.fromRow, query.count, mostChars);
    case "stretch":
      return world.open(query.session).stretch(query.context, query.row, world.ratios()) ?? null;
    case "compare":
      return compare(world.open(query.session), query.context, query.row);
    case "logLine":
      return logLine(world.open(query.session), query.context, query.row);
  }
}

function transcript(
  view: SessionView,
  context: string,
  from: number,
  count: number,
  mostChars: number,
): TranscriptPart {
  const rows = view.have(context).rows;
  const calls: TranscriptPart["calls"][number][] = [];
  for (let row = Math.max(0, from); row < Math.min(rows, from + count); row++) {
    const details = view.details(context, row, mostChars);
    if (details !== undefined) calls.push({ row, ...details });
  }
  return { calls };
}

function compare(view: SessionView, context: string, row: number): ComparedTexts {
  if (view.place(context, row) === undefined) throw new Error("no such result");
  const other = view.counterpart(context, row);
  if (other === undefined) throw new Error("this result does not refer to another one");
  const side = (which: number) => ({
    title: fill(strings.compare.call, { number: which + 1 }),
    text: view.result(context, which) ?? "(not text)",
  });
  return { left: side(other), right: side(row) };
}

function logLine(view: SessionView, context: string, row: number): LogLineText {
  const place = view.place(context, row);
  if (place === undefined) throw new Error("no such result");
  const raw = lineAt(place.file, place.offset);
  return { file: place.file, line: place.line, text: pretty(raw) };
}

function pretty(line: string): string {
  try {
    return readableJson(JSON.parse(line));
  } catch {
    return line;
  }
}
