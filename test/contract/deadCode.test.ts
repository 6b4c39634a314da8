/** No unused exports, texts or CSS classes. Found by name, in the source text. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { type Module, modulesIn } from "../support/imports.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

const modules = [...modulesIn("src"), ...modulesIn("webview")];

/** Exports that nothing in the product imports, and why they exist. */
const EXPORTED_ANYWAY: Readonly<Record<string, string>> = {
  "src/batch/replayPool.ts threadsWithMemory": "tested size by size",
  "src/dedup/runs/runIndex.ts MAX_CHARS": "a limit that tests exceed",
  "src/engine/requestHandlers.ts findCall": "tested without an engine",
  "src/hook/stateFile.ts unpacked": "tests keep a state as the hook does",
  "src/hook/stateFile.ts packed": "tests keep a state as the hook does",
  "src/inspect/cost.ts NO_COST": "states that tests make up need a cost",
  "src/inspect/prices.ts DEFAULT_PRICES": "published prices, tested as such",
  "src/inspect/rows.ts ROW_FIELDS": "the kernel's layout is made from it",
  "src/log/calibration.ts DEFAULT_CALIBRATION": "states that tests make up need a calibration",
  "src/log/contextRules.ts preservedBy": "tests play a log to the mod as Claude Code would",
  "src/mod/plainBytes.ts CharCodes": "the build puts this module in the place of another",
  "src/mod/plainBytes.ts NEWLINE": "the build puts this module in the place of another",
  "src/mod/plainBytes.ts utf8Length": "the build puts this module in the place of another",
  "src/mod/register.ts register": "called by Claude Code",
  "src/protocol/contextMenu.ts CALL_SECTION": "package.json is checked against it",
  "src/protocol/packing.ts packState": "the other direction of unpackState: tests play the engine's part",
  "src/protocol/packing.ts unpackContext": "the other direction of packContext: tests play the page's part",
  "src/scanner/scanner.ts Scanner": "tests count the lines that it leaves to JSON.parse",
  "src/serve/handover.ts fileAddress": "depends on the system, which tests choose",
  "src/serve/handover.ts handoverPlaces": "depends on the system, which tests choose",
  "src/serve/server.ts SERVER_LIMITS": "limits that tests lower",
  "src/settings/table.ts IN_MANIFESTS": "the manifests are made from it",
  "src/settings/table.ts SECTIONS": "the manifests are made from it",
  "src/vscode/config.ts settingsFrom": "tests need no VS Code for it",
  "src/vscode/extension.ts activate": "called by VS Code",
  "src/vscode/ids.ts TRANSCRIPT_LANGUAGE": "package.json is checked against it",
  "src/vscode/ids.ts VIEW_CONTAINER": "package.json is checked against it",
  "src/words/translate.ts textsIn": "the translation bundle is made from it",
  "webview/state/transcriptPages.ts PAGE_SIZE": "a limit that tests exceed",
  "webview/timeline/model/level.ts BUCKETS": "a limit that tests exceed",
  "webview/timeline/layout/scene.ts shrinkOf": "tested number by number",
};

const DECLARATION = /^export (?:abstract |async )*(function\*?|class|const|let|interface|type) (\w+)/gm;

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Exports that no other module imports. A type may be exported because an exported signature of its module uses it. */
function unusedExports(all: readonly Module[]): string[] {
  const imported = new Set(
    all.flatMap(({ imports }) =>
      imports.flatMap(({ target, names }) => names.map(name => `${target.replace(/\.js$/, "")} ${name}`)),
    ),
  );
  return all.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    const module = path.replace(/\.tsx?$/, "");
    if (imported.has(`${module} *`)) return [];
    return [...code.matchAll(DECLARATION)].flatMap(([, kind, name = ""]) => {
      const isType = kind === "interface" || kind === "type";
      const isUsed = imported.has(`${module} ${name}`) || (isType && mentions(code, name) > 1);
      return isUsed ? [] : `${path} ${name}`;
    });
  });
}

function mentions(text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "g"))?.length ?? 0;
}

describe("every export", () => {
  it("is imported by another module of the product, or has a reason", () => {
    expect(unusedExports(modules).filter(one => !(one in EXPORTED_ANYWAY))).toEqual([]);
  });

  it("has a reason only if it needs one", () => {
    const unused = unusedExports(modules);
    expect(Object.keys(EXPORTED_ANYWAY).filter(one => !unused.includes(one))).toEqual([]);
  });

  it("would be found if unused", () => {
    const importing = { from: "./a.js", target: "src/a.js", names: ["used"], typeOnly: false };
    const exporting = "export const used = 1;\nexport function unused() {}\nexport interface Own {}\nlet x: Own;\n";
    const found = unusedExports([
      { path: "src/a.ts", text: `${exporting}export type Unknown = 1;`, imports: [] },
      { path: "src/b.ts", text: "", imports: [importing] },
    ]);
    expect(found).toEqual(["src/a.ts unused", "src/a.ts Unknown"]);
  });
});

describe("every module", () => {
  it("is imported by another one, or is a bundle's entry point", () => {
    const builds = ["esbuild.mjs", "webview/build.mjs"].map(path => readFileSync(`${REPOSITORY}/${path}`, "utf8"));
    const imported = new Set(modules.flatMap(({ imports }) => imports.map(({ target }) => target)));
    const isUsed = (path: string) =>
      imported.has(path.replace(/\.tsx?$/, ".js")) || builds.some(text => text.includes(`"${path}"`));
    expect(modules.map(({ path }) => path).filter(path => !isUsed(path))).toEqual([]);
  });
});

describe("every text", () => {
  const isTable = ({ path }: Module) => path.startsWith("src/words/") || path === "src/vscode/vscodeStrings.ts";

  it.each(modules.filter(isTable).map(table => [table.path, table] as const))(
    "of %s is mentioned elsewhere",
    (_, table) => {
      const elsewhere = modules.filter(module => module !== table).map(({ text }) => withoutComments(text));
      const keys = [...withoutComments(table.text).matchAll(/^\s+(?:"([\w-]+)"|(\w+)): ?["'`\n]/gm)].map(
        ([, quoted, plain]) => quoted ?? plain ?? "",
      );
      expect(keys.filter(key => !elsewhere.some(text => mentions(text, key) > 0))).toEqual([]);
    },
  );
});

describe("every CSS class", () => {
  const code = modules.map(({ text }) => withoutComments(text)).join("\n");
  /** By its whole name, or composed of a fixed part and a dynamic one. */
  const isUsed = (name: string) => {
    const dash = name.lastIndexOf("-");
    const [before, after] = [name.slice(0, dash), name.slice(dash + 1)];
    return mentions(code, name) > 0 || code.includes(`${before}-\${`) || code.includes(`}-${after}`);
  };

  it.each(
    filesUnder(`${REPOSITORY}/webview`)
      .filter(path => path.endsWith(".css"))
      .map(path => [basename(path), path] as const),
  )("of %s is used by an element", (_, path) => {
    const css = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    const names = new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = ""]) => name));
    // Except uPlot's own, and those that VS Code sets on the body.
    expect([...names].filter(name => !/^(?:u|vscode)-/.test(name) && !isUsed(name))).toEqual([]);
  });
});
