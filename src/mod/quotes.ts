/** What hints in results refer to: needed when that leaves the context before the hints do. */
import { type LostText, MAX_GIVEN_CHARS } from "../dedup/lostTexts.js";

export interface Quote {
  /** The result that has the hint. */
  readonly holder: string;
  /** The member of the call's input; undefined for its result. */
  readonly input: string | undefined;
  readonly source: LostText;
}

/** Those whose source is among these results, unless they are themselves. A call's input stays. */
export function lostTo(ids: ReadonlySet<string>, quotes: readonly Quote[]): Quote[] {
  return quotes.filter(({ holder, input, source }) => input === undefined && ids.has(source.id) && !ids.has(holder));
}

/** To be kept for long: longer texts are never given again. */
export function shortened({ source: { text, ...named }, ...quote }: Quote): Quote {
  return { ...quote, source: { ...named, text: (text?.length ?? 0) <= MAX_GIVEN_CHARS ? text : undefined } };
}

/** Each one once. */
export function sourcesOf(quotes: readonly Quote[]): LostText[] {
  return [...new Map(quotes.map(({ input, source }) => [`${source.id} ${input}`, source])).values()];
}
