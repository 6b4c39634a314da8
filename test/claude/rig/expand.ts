/** What a request says once every hint in it is replaced by what it stands for, found in the same request. */
import { parseRunHint, type RunHint } from "../../../src/dedup/runs/hints.js";
import { numberCode, prefixLength, prefixOf, styleOfCode } from "../../../src/dedup/span/numbered.js";
import type { Request } from "./api.js";
import { resultsIn } from "./requests.js";

const WHOLE = /^> \[ref: ([^\s,\]]+), byte-identical[^\n]*\]$/;

/** By call, its result with every hint expanded. Throws where a hint names what the request does not hold. */
export function expandedResults(request: Request): Map<string, string> {
  const results = resultsIn(request);
  const inputs = inputsIn(request);
  const expanded = (text: string): string => {
    const whole = WHOLE.exec(text)?.[1];
    if (whole !== undefined) return textOf(results, whole);
    return text
      .split("\n")
      .flatMap(line => {
        const hint = parseRunHint(line);
        return hint === undefined ? line : linesOf(hint, hint.input === undefined ? results : inputs);
      })
      .join("\n");
  };
  return new Map([...results].map(([id, text]) => [id, expanded(text)]));
}

function linesOf(hint: RunHint, texts: ReadonlyMap<string, string>): string[] {
  const { id, input, from, to, renumberedFrom, numberedFrom } = hint;
  const lines = textOf(texts, input === undefined ? id : `${id} ${input}`).split("\n");
  if (to > lines.length) throw new Error(`${id} has no line ${to}`);
  return lines.slice(from - 1, to).map((line, at) => {
    if (parseRunHint(line) !== undefined) throw new Error(`${id}: a hint to a hint`);
    if (numberedFrom !== undefined) return prefixOf("tab", numberedFrom + at) + line;
    if (renumberedFrom === undefined) return line;
    const code = numberCode(line);
    return prefixOf(styleOfCode(code), renumberedFrom + at) + line.slice(prefixLength(code));
  });
}

function textOf(texts: ReadonlyMap<string, string>, id: string): string {
  const text = texts.get(id);
  if (text === undefined || WHOLE.test(text)) throw new Error(`the request does not hold ${id}`);
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
