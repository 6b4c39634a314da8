/** The page in a plain document, under the content security policy that VS Code's webviews get from us. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { BODY_CLASS, THEMES, type ThemeName } from "./themes.js";

export interface PageServer {
  readonly address: string;
  close(): Promise<void>;
}

export async function servePage(built: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const send = (type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
      response.writeHead(200, { "content-type": `${type}; charset=utf-8`, ...headers });
      response.end(body);
    };
    switch (url.pathname) {
      case "/":
        return sendPage(url.searchParams.get("theme") as ThemeName, send);
      case "/webview.js":
      case "/fakeHost.js":
        return send("text/javascript", readFileSync(join(built, url.pathname)));
      case "/webview.css":
        return send("text/css", readFileSync(join(built, "webview.css")));
      case "/vscode.css":
        return send("text/css", VSCODE_STYLES);
      default:
        response.writeHead(404).end();
    }
  });
  await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

export function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise(closed => server.close(() => closed()));
}

/** What VS Code adds to every webview, as far as it is visible. The background is the panel's, behind the frame. */
const VSCODE_STYLES = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) transparent; background: var(--vscode-panel-background); }
body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
  font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
  margin: 0; padding: 0 20px; }
img, video { max-width: 100%; max-height: 100%; }
a, a code { color: var(--vscode-textLink-foreground); }
`;

function sendPage(theme: ThemeName, send: (type: string, body: string, headers: Record<string, string>) => void): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
  ].join("; ");
  const setTheme = `
    for (const [name, value] of Object.entries(${JSON.stringify(THEMES[theme])})) {
      document.documentElement.style.setProperty(name, value);
    }
    document.body.className = ${JSON.stringify(BODY_CLASS[theme])};`;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width">
<title>Dedup</title>
<link rel="stylesheet" href="/vscode.css">
<link rel="stylesheet" href="/webview.css">
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}">${setTheme}</script>
<script nonce="${nonce}" src="/fakeHost.js"></script>
<script nonce="${nonce}" src="/webview.js"></script>
</body>
</html>`;
  send("text/html", page, { "content-security-policy": policy });
}
