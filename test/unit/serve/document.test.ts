/** What the browser gets, and what it must not do with it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Serving } from "./serving.js";

let serving: Serving;
beforeAll(async () => {
  serving = await Serving.start();
});
afterAll(() => serving.end());

const nonceIn = (text: string) => /'nonce-([^']+)'/.exec(text)?.[1] ?? "";

describe("the page", () => {
  it("runs one script and nothing else", async () => {
    const { status, headers, text } = await serving.ask("/");
    const policy = String(headers["content-security-policy"]);
    const nonce = nonceIn(policy);
    expect(status).toBe(200);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src data:",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).toContain(`<meta property="csp-nonce" content="${nonce}">`);
    expect(text.match(/<script[^>]*>/g)).toEqual([`<script nonce="${nonce}" src="/loader.js">`]);
    expect(text.match(/(?:src|href)="[^"]*"/g)?.filter(link => !/="(?:\/loader\.js|data:)/.test(link))).toEqual([]);
  });

  it("has a new nonce every time", async () => {
    const answers = await Promise.all([serving.ask("/"), serving.ask("/?theme=x")]);
    const nonces = answers.map(({ headers }) => nonceIn(String(headers["content-security-policy"])));
    expect(new Set(nonces).size).toBe(2);
    for (const nonce of nonces) expect(Buffer.from(nonce, "base64")).toHaveLength(16);
  });

  it("needs a small script to start with, which anybody may get", async () => {
    const { status, headers, text } = await serving.ask("/loader.js");
    expect([status, headers["content-type"], text]).toEqual([200, "text/javascript; charset=utf-8", "the loader"]);
  });

  it.each([
    ["/webview.js", "text/javascript; charset=utf-8", "the script"],
    ["/webview.css", "text/css; charset=utf-8", "the style"],
  ])("serves %s to those who have the token", async (path, type, content) => {
    const { status, headers, text } = await serving.ask(serving.keyed(path));
    expect([status, headers["content-type"], text]).toEqual([200, type, content]);
  });
});

describe("every answer", () => {
  it.each(["/", "/loader.js", "/webview.js", "/webview.css", "/nothing", "/events", "/message", "/report"])(
    "is kept by nobody and embedded by nobody: %s",
    async path => {
      const { headers } = await serving.ask(path);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
    },
  );
});
