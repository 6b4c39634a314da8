/**
 * The page around the bundle. It contains no data except translations: everything else arrives in messages, so log text
 * is never part of HTML. Only our own script runs, by a nonce; the nonce is also in a meta element, where the toolkit
 * looks for it before adding its own styles.
 */
import { randomBytes } from "node:crypto";

export interface PageParts {
  /** Where the webview may load files from. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
  readonly title: string;
  readonly language: string;
  /** Keyed by the English text; undefined for English itself. */
  readonly translations?: Readonly<Record<string, string>> | undefined;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

export function pageHtml({ source, script, style, title, language, translations }: PageParts): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'nonce-${nonce}'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
  ].join("; ");
  const words = translations && attribute(JSON.stringify(translations));
  return `<!DOCTYPE html>
<html lang="${words === undefined ? "en" : attribute(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta property="csp-nonce" content="${nonce}">
${words === undefined ? "" : `    <meta name="dedup-translations" content="${words}">\n`}    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>${title}</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>
`;
}
