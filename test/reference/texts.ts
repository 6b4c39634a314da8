/** The texts that a model has received, for runs of lines in the naive reference replay. */
import { isFromBefore, type Link, leadsTo } from "./chain";
import type { Numbered } from "./door";
import { field, firstString, type Use } from "./lines";
import { type ReferenceRun, replaceRuns, runsIn, type Source, sourceOf } from "./runs";

export interface Text extends Source {
  line: number;
  call: Link | undefined;
}

interface Call extends Use {
  id: string;
  context: string;
  link: Link | undefined;
}

interface Context {
  id: string;
  boundary: number;
  texts: Text[];
  style: "arrow" | "tab";
  asked: { line: number };
  results: { id: string; edited: boolean }[];
}

/** Shorter texts are ignored. */
const MIN_CHARS = 17;

export function targetOf(call: Use | undefined, path: string | undefined): string {
  return firstString([path, field(call?.input, "command"), field(call?.input, "query")]) ?? "";
}

export function addInputs(context: Context, { number }: { number: number }, call: Call): void {
  const { id, name: tool, input, link } = call;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return;
  for (const [key, text] of Object.entries(input)) {
    if (typeof text !== "string" || text.length < MIN_CHARS) continue;
    context.texts.push({ ...sourceOf(text, { id, input: key, tool, target: "" }), line: number, call: link });
  }
}

/** Undefined for what is replaced as a whole or not at all: it is not a source either. */
export function addResult(
  context: Context,
  { number }: { number: number },
  body: string,
  id: string,
  call: Call | undefined,
): Text | undefined {
  const tool = call?.name ?? "";
  const lines = body.replace(/\n$/, "").split("\n");
  const isDiff = lines.some(line => /^diff --git |^@@ -\d[^@]* \+\d[^@]* @@/.test(line));
  const matches = lines.filter(line => /^(?:[A-Za-z]:)?[^\s:][^:]*:\d+:/.test(line)).length;
  const isList = tool === "Grep" || tool === "Glob" || (isShell(tool) && matches > 0 && 2 * matches >= lines.length);
  if (isDiff || isList || body.length < MIN_CHARS) return undefined;
  const link = call?.context === context.id ? call.link : undefined;
  const text = { ...sourceOf(body, { id, input: undefined, tool, target: "" }), line: number, call: link };
  context.texts.push(text);
  return text;
}

/** Any text shows how lines are numbered, even one that is not a source. */
export function styleIn(body: string): "arrow" | "tab" | undefined {
  if (body.length < MIN_CHARS) return undefined;
  const { lines } = sourceOf(body, { id: "", input: undefined, tool: "", target: "" });
  return lines.find(({ style, isHint }) => style !== undefined && !isHint)?.style;
}

function isShell(tool: string): boolean {
  return tool === "Bash" || tool === "PowerShell";
}

/** Finds runs of the newest text in earlier ones, and removes those lines from it. */
export function findRuns(
  context: Context,
  text: Text,
  { spanMinBytes }: { spanMinBytes: number },
  numbered: Numbered | undefined,
): ReferenceRun[] {
  const mayQuote = (source: Source) => {
    const { line, call, input, id, tool } = source as Text;
    const isOfThisMessage = input === undefined ? line > context.asked.line : line >= context.asked.line;
    if (isOfThisMessage || !leadsTo(text.call, call) || isFromBefore({ line, call }, context.boundary)) return false;
    const since = context.results.slice(context.results.findIndex(result => result.id === id));
    const isOutdated = isShell(text.tool) && isShell(tool) && since.some(({ edited }) => edited);
    return input !== undefined || !isOutdated;
  };
  const earlier = context.texts.filter(one => one !== text);
  const settings = { minBytes: spanMinBytes, located: false, newestStyle: context.style, numbered };
  const runs = runsIn(text, earlier, mayQuote, settings);
  replaceRuns(text, runs);
  return runs;
}
