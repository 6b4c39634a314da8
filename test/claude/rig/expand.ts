/** A request with every hint replaced by the text it refers to, found in the same request. */
import { type NumberStyle, numberCode, prefixLength, prefixOf, styleOfCode } from "../../../src/dedup/runs/numbered.js";
import { parseRunHint, type RunHint } from "../../../src/dedup/runs/runHints.js";
import type { Request } from "./api.js";
import { resultsIn } from "./requests.js";

const WHOLE = /^> \[ref: ([^\s,\]]+)(?:, byte-identical[^\n]*)?\]$/;

/** The text of a call's result, or of a member of its input; undefined if missing. */
export type TextOf = (id: string, input: string | undefined) => string | undefined;

/** A text with all hints expanded. Throws if a hint refers to something missing. */
export function expanded(text: string, textOf: TextOf): string {
  const shown = text.split("\n").find(line => numberCode(line) !== 0);
  const style = shown === undefined ? "tab" : styleOfCode(numberCode(shown));
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return textNamed(whole, undefined, textOf);
  return text
    .split("\n")
    .flatMap(line => {
      const said = line.slice(prefixLength(numberCode(line)));
      const hint = parseRunHint(said);
      if (hint !== undefined) return linesOf(hint, textOf, style);
      const numbered = said === line ? undefined : WHOLE.exec(said)?.[1];
      if (numbered === undefined) return line;
      // Claude Code numbers a hint that replaces a file's lines; what it adds to files stays next to it.
      return textNamed(numbered, undefined, textOf)
        .split("\n")
        .filter(one => numberCode(one) !== 0);
    })
    .join("\n");
}

/** By call, its result with every hint expanded from the same request. */
export function expandedResults(request: Request): Map<string, string> {
  const [results, inputs] = [resultsIn(request), inputsIn(request)];
  const textOf = (id: string, input: string | undefined) =>
    input === undefined ? results.get(id) : inputs.get(`${id} ${input}`);
  return new Map([...results].map(([id, text]) => [id, expanded(text, textOf)]));
}

function linesOf(hint: RunHint, textOf: TextOf, style: NumberStyle): string[] {
  const { id, input, from, to, renumberedFrom, numberedFrom } = hint;
  const lines = textNamed(id, input, textOf).split("\n");
  if (to > lines.length) throw new Error(`${id} has no line ${to}`);
  return lines.slice(from - 1, to).map((line, at) => {
    if (parseRunHint(line) !== undefined) throw new Error(`${id}: a hint to a hint`);
    if (numberedFrom !== undefined) return prefixOf(style, numberedFrom + at) + line;
    if (renumberedFrom === undefined) return line;
    const code = numberCode(line);
    return prefixOf(styleOfCode(code), renumberedFrom + at) + line.slice(prefixLength(code));
  });
}

function textNamed(id: string, input: string | undefined, textOf: TextOf): string {
  const text = textOf(id, input);
  if (text === undefined || WHOLE.test(text)) throw new Error(`${id} is not there`);
  return text;
}

/** The strings of calls' inputs. */
function inputsIn({ messages }: Request): Map<string, string> {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const calls = blocks.filter(block => block.type === "tool_use");
  return new Map(
    calls.flatMap(({ id, input }) =>
      Object.entries(input).flatMap(([key, text]) =>
        typeof text === "string" ? [[`${id} ${key}`, text] as const] : [],
      ),
    ),
  );
}
