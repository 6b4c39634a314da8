/**
 * The document around the page's script, under a policy that lets nothing else run, load or connect. It has no content
 * of its own: the loader finds the token and uses it to fetch everything else.
 */
import { randomBytes } from "node:crypto";

/** Three results, the last one a repeat. Inlined, because browsers would request an icon anyway. */
const ICON = encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#3794ff" stroke-width="1.6">
<circle cx="3.2" cy="11" r="2"/><circle cx="8" cy="11" r="2"/><circle cx="12.8" cy="11" r="2" fill="#3794ff"/>
<path d="M3.2 7.4C4.6 2.6 11.4 2.6 12.8 7.4"/></svg>`,
);

export interface PageDocument {
  readonly html: string;
  readonly policy: string;
}

/** With the token for a browser that has redeemed a ticket; others have it in their URL. */
export function pageDocument(token?: string): PageDocument {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  // The UI toolkit reads the nonce from the meta element for the styles it adds.
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta property="csp-nonce" content="${nonce}">
${token === undefined ? "" : `<meta name="dedup-token" content="${token}">\n`}<title>Dedup Inspector</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
</head>
<body>
<div id="root"></div>
<noscript>Dedup Inspector needs JavaScript. Run dedup-inspector report to see the same figures in a terminal.</noscript>
<script nonce="${nonce}" src="/loader.js"></script>
</body>
</html>
`;
  return { html, policy };
}
