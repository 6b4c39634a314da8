/** The first import of the page: texts are translated before any other module reads one. */
import { strings } from "../src/words/strings.js";
import { translate } from "../src/words/translate.js";

const meta = document.querySelector<HTMLMetaElement>('meta[name="dedup-translations"]');
if (meta !== null) {
  const translations = new Map(Object.entries(JSON.parse(meta.content) as Record<string, string>));
  translate(strings, text => translations.get(text) ?? text);
}
