/** What a host would answer about the sample's calls, read straight from its lines. */
import { emittedBy } from "../../src/dedup/emission.js";
import { hintsIn } from "../../src/engine/texts/emissions.js";
import type { PlacedEmission } from "../../src/protocol/comparison.js";
import type {
  CallDetails,
  ComparedTexts,
  EmittedText,
  FoundCall,
  LogLineText,
  ReferencedLines,
  TranscriptPart,
} from "../../src/protocol/requests.js";
import { mainOf, sampleLines, sampleLog } from "./states.js";

type Json = Readonly<Record<string, unknown>>;

const LONGEST = 3000;

export function sampleTexts() {
  const log = sampleLog();
  const { ids, tools, rows, targets } = mainOf(log);
  const inputs = new Map<string, string>();
  const results = new Map<string, string>();
  for (const line of sampleLines()) {
    const content = ((JSON.parse(line) as Json)["message"] as Json | undefined)?.["content"];
    for (const block of Array.isArray(content) ? (content as Json[]) : []) {
      if (block["type"] === "tool_use") inputs.set(String(block["id"]), JSON.stringify(block["input"], null, 2));
      if (block["type"] === "tool_result") results.set(String(block["tool_use_id"]), textOf(block["content"]));
    }
  }
  const field = (row: number, column: number) => rows[row * (rows.length / ids.length) + column] ?? 0;
  const ref = (row: number) => field(row, 10) - 1;
  const details = (row: number): CallDetails & { row: number } => {
    const id = ids[row] ?? "";
    const result = results.get(id) ?? "";
    const isHit = field(row, 3) === 0;
    return {
      row,
      id,
      tool: tools[field(row, 9)] ?? "",
      input: inputs.get(id) ?? "",
      result: result.slice(0, LONGEST),
      cut: result.length > LONGEST,
      hint: isHit ? `> [ref: ${ids[ref(row)]}, byte-identical]` : null,
    };
  };
  const transcript = (fromRow: number, count: number): TranscriptPart => ({
    calls: Array.from({ length: Math.min(count, ids.length - fromRow) }, (_, index) => details(fromRow + index)),
  });
  const compare = (row: number): ComparedTexts => ({
    left: { title: `call ${ref(row) + 1} ${targets[ref(row)]}`, text: results.get(ids[ref(row)] ?? "") ?? "" },
    right: { title: `call ${row + 1} ${targets[row]}`, text: results.get(ids[row] ?? "") ?? "" },
  });
  const logLine = (row: number): LogLineText => {
    const line = field(row, 0);
    return { file: "", line, text: JSON.stringify(JSON.parse(sampleLines()[line - 1] ?? "{}"), null, 2) };
  };
  const find = (text: string, fromRow: number, step: 1 | -1): FoundCall => {
    for (let row = fromRow; row >= 0 && row < ids.length; row += step) {
      if (`${inputs.get(ids[row] ?? "")}\n${results.get(ids[row] ?? "")}`.includes(text))
        return { row, next: row + step };
    }
    return { row: null, next: null };
  };
  const emitted = (row: number, placed: PlacedEmission | null): EmittedText => {
    const body = results.get(ids[row] ?? "") ?? "";
    const lines = body.split("\n").length;
    if (placed === null) return { text: body, cut: false, lines, hints: [] };
    return { text: emittedBy(body, placed.emission), cut: false, lines, hints: hintsIn(body, placed) };
  };
  const lines = (row: number, from: number, to: number): ReferencedLines => {
    const all = (results.get(ids[row] ?? "") ?? "").split("\n");
    return { text: all.slice(from - 1, to).join("\n"), cut: false };
  };
  return { emitted, lines, details, transcript, find, compare, logLine };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? (content as Json[]) : [];
  return blocks.map(block => String(block["text"] ?? "")).join("");
}
