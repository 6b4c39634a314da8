/** A tree of texts: `strings`, and those that only VS Code shows. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/**
 * Replaces the English texts with translations. VS Code does this once, before anything is shown; the page and the engine's
 * thread do the same with the texts from VS Code. Everywhere else, everything stays English.
 */
export function translate(texts: Texts, translated: (text: string) => string): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === "string") Object.assign(texts, { [name]: translated(text) });
    else translate(text, translated);
  }
}

/** All distinct texts, for translation. */
export function textsIn(texts: Texts): string[] {
  const all = Object.values(texts).flatMap(text => (typeof text === "string" ? text : textsIn(text)));
  return [...new Set(all)];
}
