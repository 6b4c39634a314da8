// `npm run l10n`: writes all texts to translate. A translation is a copy next to it, such as bundle.l10n.de.json.
import { writeFileSync } from "node:fs";
import { bundled } from "./bundled.mjs";

const { strings, texts, textsIn } = await bundled(`
    export { strings } from "./src/words/strings.ts";
    export { texts } from "./src/vscode/strings.ts";
    export { textsIn } from "./src/words/translate.ts";
  `);

const bundle = Object.fromEntries(textsIn({ strings, texts }).map(text => [text, text]));
writeFileSync(new URL("../l10n/bundle.l10n.json", import.meta.url), `${JSON.stringify(bundle, null, 2)}\n`);
