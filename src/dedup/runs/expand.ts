/** Expands the live hints in a text to what they replaced. */
import {
  hintStart,
  type NumberStyle,
  numberCode,
  numberedPart,
  prefixLength,
  prefixOf,
  styleOfCode,
} from "./numbered.js";
import type { TextOf } from "./proof.js";
import { hintsIn, type LiveHint, parseRunHint } from "./runHints.js";

/** Undefined if a hint names something missing, or only lists differences. */
export function expandedText(text: string, textOf: TextOf): string | undefined {
  const [hint] = hintsIn(text);
  if (hint === undefined) return text;
  return hint.kind === "run" ? withLines(text, textOf) : wholeText(text, hint, textOf);
}

/** If lines are numbered, the hint only covers those of the earlier text: what follows them is already there. */
function wholeText(text: string, { kind, id }: LiveHint, textOf: TextOf): string | undefined {
  const earlier = kind === "whole" ? textOf(id, undefined) : undefined;
  const part = numberedPart(text);
  if (earlier === undefined || part === undefined) return earlier;
  const lines = numberedPart(earlier);
  return lines && text.slice(0, part.begin) + earlier.slice(lines.begin, lines.end) + text.slice(part.end);
}

function withLines(text: string, textOf: TextOf): string | undefined {
  const lines = text.split("\n");
  const shown = lines.map(numberCode).find(code => code !== 0) ?? 0;
  const style = shown === 0 ? "tab" : styleOfCode(shown);
  const expanded: string[] = [];
  for (const line of lines) {
    const hint = parseRunHint(line.slice(hintStart(line)));
    if (hint === undefined) {
      expanded.push(line);
      continue;
    }
    const { id, input, from, to, renumberedFrom, numberedFrom } = hint;
    const source = textOf(id, input)?.split("\n") ?? [];
    if (from < 1 || to < from || to > source.length) return undefined;
    for (let at = from; at <= to; at++) {
      const own = source[at - 1] ?? "";
      const number = renumberedFrom ?? numberedFrom;
      expanded.push(number === undefined ? own : withNumber(own, number + at - from, style));
    }
  }
  return expanded.join("\n");
}

function withNumber(line: string, number: number, style: NumberStyle): string {
  const code = numberCode(line);
  return prefixOf(code === 0 ? style : styleOfCode(code), number) + line.slice(prefixLength(code));
}
