import { type NumberStyle, numberCode, prefixLength, prefixOf, styleOfCode } from "../../src/dedup/runs/numbered.js";
import { parseRunHint, type RunHint } from "../../src/dedup/runs/runHints.js";

/** The lines of an earlier text as it was emitted; undefined if there is none. */
type Lookup = (id: string, input: string | undefined) => readonly string[] | undefined;

/**
 * Restores the text that was emitted with hints. `style`: the form of line numbers that "numbered from" means if no
 * line of the text shows one. Throws if a hint points at nothing, or at a line that is itself a hint.
 */
export function expandRuns(emitted: string, lookup: Lookup, style: NumberStyle): string {
  const lines = emitted.split("\n");
  const shown = lines.map(line => numberCode(line)).find(code => code !== 0);
  const numbering = shown === undefined ? style : styleOfCode(shown);
  return lines
    .flatMap(line => {
      const hint = parseRunHint(line);
      return hint === undefined ? line : linesOf(hint, lookup, numbering);
    })
    .join("\n");
}

function linesOf(hint: RunHint, lookup: Lookup, style: NumberStyle): string[] {
  const source = lookup(hint.id, hint.input);
  const lines = source?.slice(hint.from - 1, hint.to) ?? [];
  if (lines.length !== hint.to - hint.from + 1) throw new Error(`${hint.id} has no lines ${hint.from}-${hint.to}`);
  if (lines.some(line => parseRunHint(line) !== undefined)) throw new Error(`${hint.id}: a hint to a hint`);
  return lines.map((line, index) => {
    if (hint.numberedFrom !== undefined) return prefixOf(style, hint.numberedFrom + index) + line;
    if (hint.renumberedFrom === undefined) return line;
    const code = numberCode(line);
    if (code === 0) throw new Error(`${hint.id} line ${hint.from + index} carries no number`);
    return prefixOf(styleOfCode(code), hint.renumberedFrom + index) + line.slice(prefixLength(code));
  });
}
