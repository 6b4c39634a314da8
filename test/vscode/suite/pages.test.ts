import assert from "node:assert/strict";
import { pageHtml } from "../../../src/vscode/html.js";
import { test } from "./runner.js";

const parts = {
  source: "https://x.test",
  script: "https://x.test/a.js",
  style: "https://x.test/a.css",
  title: "T",
  language: "en",
};

test("the page runs only our script, and its nonce is new each time", () => {
  const pages = [pageHtml(parts), pageHtml(parts)];
  const nonces = pages.map(html => /<meta property="csp-nonce" content="([^"]+)">/.exec(html)?.[1] ?? "");
  assert.notEqual(nonces[0], nonces[1]);
  for (const [index, html] of pages.entries()) {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
    const nonce = `'nonce-${nonces[index]}'`;
    assert.deepEqual(policy.split("; "), [
      "default-src 'none'",
      `script-src ${nonce}`,
      `style-src https://x.test ${nonce}`,
      "img-src https://x.test data:",
      "font-src https://x.test",
    ]);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.ok(html.includes(`<script nonce="${nonces[index]}" src="https://x.test/a.js"></script>`));
    assert.ok((nonces[index]?.length ?? 0) >= 22);
  }
});
