/** Dependencies go in one direction: which folder may import which. An import that is not allowed here is an error. */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { describe, expect, it } from "vitest";
import { type Import, importsOf, type Module, modulesIn } from "../support/imports.js";
import { lintObjections } from "../support/lint.js";
import { REPOSITORY } from "../support/replay.js";

interface Layer {
  /** Folders of src whose modules may be imported in addition to the folder's own. */
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[];
  readonly node?: boolean;
  readonly packages?: readonly string[];
}

/** Folders that run anywhere: in Node, in a worker, in a page. */
const PURE_ROOMS = [
  ...["settings", "log", "scanner", "trial", "dedup", "inspect", "kernel", "sums", "pipeline", "protocol", "words"],
];
const SHARED = [...PURE_ROOMS, "files", "tail", "cache", "batch", "engine"];
/** The hosts other than VS Code: thin, and free to use each other. */
const HOSTS = ["cli", "serve"];

const LAYERS: Readonly<Record<string, Layer>> = {
  settings: { folders: [] },
  log: { folders: [] },
  scanner: { folders: ["log"] },
  dedup: { folders: ["settings", "log"] },
  trial: { folders: ["settings", "log"] },
  inspect: { folders: ["settings", "dedup", "log", "trial"] },
  kernel: { folders: ["settings", "inspect", "dedup", "log", "scanner"] },
  sums: { folders: ["inspect", "settings", "dedup", "log", "scanner"] },
  pipeline: { folders: ["inspect", "dedup", "log", "scanner", "kernel"] },
  library: { folders: ["settings", "log", "dedup", "inspect", "pipeline"] },
  words: { folders: ["inspect"], types: ["dedup", "log", "trial"] },
  protocol: { folders: ["settings", "inspect"], types: ["dedup", "log"] },
  files: { folders: ["log"], node: true },
  tail: { folders: ["files", "log"], node: true, packages: ["chokidar"] },
  cache: {
    folders: ["files", "inspect", "kernel"],
    types: ["pipeline", "dedup", "log", "tail", "protocol"],
    node: true,
  },
  batch: { folders: ["tail", "cache", "files", ...PURE_ROOMS], node: true },
  export: { folders: ["batch", "tail", "cache", "files", ...PURE_ROOMS], node: true, packages: ["hyparquet-writer"] },
  engine: { folders: ["batch", "tail", "cache", "files", ...PURE_ROOMS], node: true },
  hook: {
    folders: ["files", "settings", "dedup", "log", "trial", "words"],
    types: ["inspect"],
    node: true,
    packages: ["jsonc-parser"],
  },
  mod: { folders: ["settings", "dedup", "log", "trial", "inspect", "pipeline", "words"] },
  cli: { folders: [...SHARED, ...HOSTS, "export", "hook"], node: true },
  serve: { folders: [...SHARED, ...HOSTS, "hook"], node: true },
  vscode: { folders: [...SHARED, "hook"], node: true, packages: ["vscode"] },
};

const WEBVIEW: Layer = {
  folders: ["inspect", "protocol", "words"],
  types: ["dedup", "log"],
  packages: ["preact", "@preact/signals", "diff", "uplot", "@vscode/webview-ui-toolkit", "@vscode/codicons"],
};

/** The only doors from the pure folders to Node, and out of src. */
const DOORS: Readonly<Record<string, string>> = {
  "src/log/bytes.ts": "node:buffer",
  "src/dedup/fingerprint.ts": "node:crypto",
  "src/scanner/program.ts": "node:zlib",
  "src/files/version.ts": "../../package.json",
  // The timeline in a document is drawn by the same code as on the page.
  "src/cli/reportHtml.ts": "../../webview/timeline/timelineSvg.js",
};

/** By folder, what it may use according to src/README.md, without itself. */
function documentedLayers(): Record<string, { folders: string[]; types: string[] }> {
  const table = readFileSync(`${REPOSITORY}/src/README.md`, "utf8").matchAll(/^\| `(\w+)\/` .*\| (.+?) +\|$/gm);
  const cells = [...table].map(([, folder = "", cell = ""]) => ({ folder, cell }));
  const all = cells.map(({ folder }) => folder);
  return Object.fromEntries(
    cells.map(({ folder, cell }, at) => {
      const [may = "", types = ""] = cell.split(/(?:^|, )types of /);
      const named = namesIn(may);
      const [, scope] = /^everything( above)?/.exec(may) ?? [];
      const others = (scope === undefined ? all : all.slice(0, at)).filter(one => !named.includes(one));
      const folders = may.startsWith("everything") ? others : named;
      return [folder, { folders: folders.filter(one => one !== folder).sort(), types: namesIn(types).sort() }];
    }),
  );
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** Why an import is not allowed; undefined if it is. */
function objection(path: string, { from, target, typeOnly }: Import): string | undefined {
  if (DOORS[path] === from) return undefined;
  const home = path.split("/");
  const layer = home[0] === "webview" ? WEBVIEW : LAYERS[home[1] ?? ""];
  if (layer === undefined) return `${path}: no rule for this folder`;
  if (!from.startsWith(".")) return layerAllowsPackage(layer, from) ? undefined : `${path} imports ${from}`;
  const [top = "", folder = ""] = target.split("/");
  const own = top === home[0] && (top === "webview" || folder === home[1]);
  const named = top === "src" && layer.folders.includes(folder);
  const typed = top === "src" && typeOnly && (layer.types ?? []).includes(folder);
  return own || named || typed ? undefined : `${path} imports ${target}`;
}

function layerAllowsPackage(layer: Layer, from: string): boolean {
  if (isBuiltin(from)) return layer.node === true && from.startsWith("node:");
  return (layer.packages ?? []).some(name => from === name || from.startsWith(`${name}/`));
}

const sources = modulesIn("src");
const everything = [...sources, ...modulesIn("webview")];

describe("the layers", () => {
  it("include every folder of src, and nothing is outside the folders", () => {
    const entries = readdirSync(`${REPOSITORY}/src`, { withFileTypes: true });
    const unknown = entries.filter(entry =>
      entry.isDirectory() ? !(entry.name in LAYERS) : entry.name !== "README.md",
    );
    expect(unknown.map(entry => entry.name)).toEqual([]);
    expect(sources.length).toBeGreaterThan(20);
  });

  it("are those that src/README.md lists", () => {
    const layers = Object.entries(LAYERS).map(([folder, { folders, types = [] }]) => {
      const others = folders.filter(one => one !== folder);
      return [folder, { folders: others.toSorted(), types: types.toSorted() }];
    });
    expect(documentedLayers()).toEqual(Object.fromEntries(layers));
  });

  it("only import what they may", () => {
    const objections = everything.flatMap(({ path, imports }) => imports.flatMap(one => objection(path, one) ?? []));
    expect(objections).toEqual([]);
  });

  it("keep vscode in its folder", () => {
    const outside = everything.filter(({ imports }) => imports.some(({ from }) => from === "vscode"));
    expect(outside.filter(({ path }) => !path.startsWith("src/vscode/")).map(({ path }) => path)).toEqual([]);
  });

  it("that are pure use no globals of Node or of a page", () => {
    const globals = ["process", "Buffer", "globalThis", "window", "document"];
    const rooms = [...PURE_ROOMS, "library"];
    const path = (room: string) => `src/${room}/a.ts`;
    const code = globals.map(name => `console.error(${name});`).join("\n");
    const objections = lintObjections(Object.fromEntries(rooms.map(room => [path(room), code])));
    for (const room of rooms) {
      for (const name of globals) {
        expect(objections).toContain(`${path(room)}: Do not use the global variable ${name}.`);
      }
    }
  });
});

describe("the files", () => {
  it("are short: none has over 400 lines", () => {
    const modules: Module[] = [...everything, ...modulesIn("test")];
    const long = modules.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }));
    expect(long.filter(({ lines }) => lines > 400)).toEqual([]);
  });
});

describe("the test of the layers sees", () => {
  const objectionsTo = (path: string, text: string) => importsOf(path, text).map(one => objection(path, one));

  it.each([
    ["src/settings/a.ts", 'import type { X } from "../dedup/settings.js";'],
    ["src/log/a.ts", 'import { x } from "../dedup/cache.js";'],
    ["src/log/a.ts", 'import type { X } from "../inspect/report.js";'],
    ["src/log/a.ts", 'import { readFileSync } from "node:fs";'],
    ["src/log/a.ts", 'import { Buffer } from "node:buffer";'],
    ["src/log/a.ts", 'import { join } from "path";'],
    ["src/dedup/a.ts", 'import { Scanner } from "../scanner/scanner.js";'],
    ["src/dedup/a.ts", 'export * from "../inspect/report.js";'],
    ["src/inspect/a.ts", 'const x = await import("node:fs");'],
    ["src/inspect/a.ts", 'import "preact";'],
    ["src/inspect/a.ts", 'import {\n  a,\n  b,\n} from "../files/openFile.js";'],
    ["src/protocol/a.ts", 'import { DedupCache } from "../dedup/cache.js";'],
    ["src/tail/a.ts", 'import { main } from "../cli/main.js";'],
    ["src/tail/a.ts", 'import * as vscode from "vscode";'],
    ["src/cli/a.ts", 'import { x } from "../vscode/extension.js";'],
    ["src/cli/a.ts", 'const vscode = require("vscode");'],
    ["src/engine/a.ts", 'import { x } from "../cli/main.js";'],
    ["src/vscode/a.ts", 'import { x } from "../serve/server.js";'],
    ["src/hook/a.ts", 'import { x } from "../cli/main.js";'],
    ["src/hook/a.ts", 'import { x } from "../inspect/report.js";'],
    ["src/new/a.ts", 'import { x } from "./b.js";'],
    ["webview/a.ts", 'import { x } from "../src/files/openFile.js";'],
    ["webview/a.ts", 'import { calibrate } from "../src/log/calibration.js";'],
    ["webview/a.ts", 'import { x } from "node:fs";'],
    ["webview/views/a.tsx", 'import { x } from "react";'],
  ])("that %s may not: %s", (path, text) => {
    expect(objectionsTo(path, text)).toEqual([expect.any(String)]);
  });

  it.each([
    ["src/log/bytes.ts", 'import { Buffer } from "node:buffer";'],
    ["src/dedup/fingerprint.ts", 'import { createHash } from "node:crypto";'],
    ["src/dedup/a.ts", 'import type { ToolKind } from "../log/tools.js";'],
    ["src/protocol/a.ts", 'import { type Entry, type Hint } from "../dedup/cache.js";'],
    ["src/tail/a.ts", 'import { watch } from "chokidar";'],
    ["src/vscode/a.ts", 'import * as vscode from "vscode";'],
    ["webview/views/a.tsx", 'import { render } from "preact/hooks";'],
    ["webview/views/a.tsx", 'import { x } from "../../src/protocol/messages.js";'],
    ["webview/views/a.tsx", 'import type { Calibration } from "../../src/log/calibration.js";'],
  ])("that %s may: %s", (path, text) => {
    expect(objectionsTo(path, text)).toEqual([undefined]);
  });
});
