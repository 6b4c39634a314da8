/** A tree of texts: `strings`, and what only VS Code shows. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/**
 * Puts translations in place of the English texts. VS Code does so once, before anything is shown; the page does the
 * same with what VS Code hands over. Elsewhere everything stays English.
 */
export function translate(texts: Texts, translated: (text: string) => string): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === "string") Object.assign(texts, { [name]: translated(text) });
    else translate(text, translated);
  }
}

/** Every text once: what there is to translate. */
export function textsIn(texts: Texts): string[] {
  const all = Object.values(texts).flatMap(text => (typeof text === "string" ? text : textsIn(text)));
  return [...new Set(all)];
}
