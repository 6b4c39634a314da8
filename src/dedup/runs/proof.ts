/** Whether hints name exactly the lines that they replace, checked against the texts that the model really has. */
import type { Run } from "./matcher.js";
import { numberCode, prefixLength, prefixOf, styleOfCode } from "./numbered.js";

/** The text of a call's result as the model has it, or of a member of the call's input. */
export type TextOf = (id: string, input: string | undefined) => string | undefined;

export function areTrue(runs: readonly Run[], body: string, textOf: TextOf): boolean {
  const lines = body.split("\n");
  return runs.every(run => isTrue(run, lines, textOf));
}

function isTrue({ start, end, hint }: Run, lines: readonly string[], textOf: TextOf): boolean {
  const { id, input, from, to, renumberedFrom, numberedFrom } = hint;
  const source = textOf(id, input)?.split("\n") ?? [];
  if (to - from !== end - start - 1 || to > source.length) return false;
  for (let at = 0; at < end - start; at++) {
    const [line, quoted] = [lines[start + at] as string, source[from - 1 + at] as string];
    const restored =
      renumberedFrom !== undefined
        ? renumbered(quoted, renumberedFrom + at)
        : numberedFrom !== undefined
          ? numbered(quoted, numberedFrom + at, line)
          : quoted;
    if (restored !== line) return false;
  }
  return true;
}

function renumbered(line: string, number: number): string | undefined {
  const code = numberCode(line);
  return code === 0 ? undefined : prefixOf(styleOfCode(code), number) + line.slice(prefixLength(code));
}

/** In the style of the line that it replaces. */
function numbered(quoted: string, number: number, line: string): string | undefined {
  const code = numberCode(line);
  return code === 0 ? undefined : prefixOf(styleOfCode(code), number) + quoted;
}
