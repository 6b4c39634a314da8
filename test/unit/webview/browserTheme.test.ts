import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../../support/replay.js";
import { THEMES, type ThemeName } from "../../webview/themes.js";

const SELECTORS: Readonly<Record<ThemeName, string>> = {
  dark: 'html.browser[data-theme="dark"]',
  light: 'html.browser[data-theme="light"]',
  hcDark: 'html.browser[data-theme="high-contrast"]',
  hcLight: 'html.browser[data-theme="high-contrast-light"]',
};

const inWebview = (path: string) => readFileSync(join(REPOSITORY, "webview", path), "utf8");
const browser = inWebview("styles/browser.css");

function variablesAt(selector: string): Map<string, string> {
  const block = browser.split(`${selector} {`)[1]?.split("}")[0] ?? "";
  return new Map([...block.matchAll(/(--vscode-[\w-]+): (.+);/g)].map(([, name = "", value = ""]) => [name, value]));
}

const forAll = variablesAt("html.browser");
const sheets = readdirSync(join(REPOSITORY, "webview"), { recursive: true, encoding: "utf8" }).filter(path =>
  path.endsWith(".css"),
);
/** Without a fallback: where one of them is not defined, the whole declaration is void. */
const used = new Set(
  sheets.flatMap(sheet => [...inWebview(sheet).matchAll(/var\((--vscode-[\w-]+)\)/g)].map(([, name = ""]) => name)),
);

describe.each(Object.keys(SELECTORS) as ThemeName[])("in a browser, the theme %s", theme => {
  // What VS Code does not set either is the exception: the page has to do without it.
  it("sets every variable that the page relies on to what VS Code sets it to", () => {
    const own = variablesAt(SELECTORS[theme]);
    const names = [...used].filter(name => !forAll.has(name));
    expect(names.length).toBeGreaterThan(30);
    expect(Object.fromEntries(names.map(name => [name, own.get(name)]))).toEqual(
      Object.fromEntries(names.map(name => [name, THEMES[theme][name]])),
    );
  });
});

it("the page only relies on variables that VS Code's normal themes set", () => {
  expect([...used].filter(name => !(name in THEMES.dark && name in THEMES.light))).toEqual([]);
});
