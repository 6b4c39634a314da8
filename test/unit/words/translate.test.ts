import { describe, expect, it } from "vitest";
import { pageHtml } from "../../../src/vscode/html.js";
import { strings } from "../../../src/words/strings.js";
import { fill } from "../../../src/words/text.js";
import { textsIn, translate } from "../../../src/words/translate.js";

const copy = () => JSON.parse(JSON.stringify(strings)) as typeof strings;

describe("a translation", () => {
  it("replaces every text, and is filled in and counted as before", () => {
    const german = copy();
    translate(german, text => (text === strings.app.call ? "Aufruf {number}" : `»${text}`));
    expect(fill(german.app.call, { number: 12 })).toBe("Aufruf 12");
    expect(textsIn(german).filter(text => !text.startsWith("»"))).toEqual(["Aufruf {number}"]);
    expect(strings.app.call).toBe("call {number}");
  });

  it("leaves what it does not have in English", () => {
    const none = copy();
    translate(none, text => text);
    expect(none).toEqual(strings);
  });

  it("reaches the page as data, whatever is in it", () => {
    const parts = { source: "s", script: "a.js", style: "a.css", title: "T", language: "de" };
    const translations = { 'say "{what}" & <more>': '„{what}" &amp; <mehr>' };
    const html = pageHtml({ ...parts, translations });
    const content = /<meta name="dedup-translations" content="([^"]*)">/.exec(html)?.[1] ?? "";
    expect(JSON.parse(content.replaceAll("&quot;", '"').replaceAll("&amp;", "&"))).toEqual(translations);
    expect(html).toContain('<html lang="de">');
    expect(pageHtml(parts)).toContain('<html lang="en">');
    expect(pageHtml(parts)).not.toContain("dedup-translations");
  });

  it("is requested once for each text", () => {
    const texts = textsIn({ a: "one", b: { c: "two", d: "one" } });
    expect(texts).toEqual(["one", "two"]);
  });
});
