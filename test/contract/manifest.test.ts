/** The manifest and the code agree: every command, setting, view, text and file, in both directions. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifests } from "../../scripts/manifests.mjs";
import { MARK_MEMBERS } from "../../src/dedup/events.js";
import { KIND_OF_CODE, OUTCOMES, type OutcomeKind } from "../../src/inspect/outcomes.js";
import { ROW_FIELDS } from "../../src/inspect/rows.js";
import { STRATEGY_IDS } from "../../src/inspect/strategies.js";
import { CALL_SECTION } from "../../src/protocol/contextMenu.js";
import type { Setting } from "../../src/settings/kinds.js";
import * as table from "../../src/settings/table.js";
import {
  AT_CURSOR,
  COMMANDS,
  CONTEXT_KEYS,
  EDITOR,
  SECTION,
  TRANSCRIPT_LANGUAGE,
  VIEW,
  VIEW_CONTAINER,
} from "../../src/vscode/ids.js";
import { TRANSCRIPT_TITLE, texts } from "../../src/vscode/vscodeStrings.js";
import { strings } from "../../src/words/strings.js";
import { textsIn } from "../../src/words/translate.js";
import { REPOSITORY } from "../support/replay.js";

interface Property {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Step {
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly l10n: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { command: string; category: string; title: string; icon?: string }[];
    readonly viewsContainers: { readonly panel: readonly { id: string; icon: string }[] };
    readonly views: Readonly<Record<string, readonly { id: string; type: string; icon: string }[]>>;
    readonly menus: Readonly<Record<string, readonly { command: string; when: string }[]>>;
    readonly keybindings: readonly { command: string; key: string; mac?: string; args?: string; when?: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Property>> };
    readonly configurationDefaults: Readonly<Record<string, unknown>>;
    readonly languages: readonly { id: string; firstLine: string }[];
    readonly grammars: readonly { language: string; scopeName: string; path: string }[];
    readonly walkthroughs: readonly { steps: readonly Step[] }[];
  };
}

const read = (name: string) => readFileSync(join(REPOSITORY, name), "utf8");
const manifestText = read("package.json");
const manifest = JSON.parse(manifestText) as Manifest;
const nls = JSON.parse(read("package.nls.json")) as Readonly<Record<string, string>>;
const { contributes } = manifest;
const sorted = (names: Iterable<string>) => [...names].sort();

describe("commands", () => {
  const declared = contributes.commands.map(({ command }) => command);

  it("are the same in the manifest and in the code", () => {
    expect(sorted(declared)).toEqual(sorted(Object.values(COMMANDS)));
  });

  it("all have the category and a title from the texts", () => {
    for (const { command, category, title } of contributes.commands) {
      expect([category, title]).toEqual(["%category%", `%${command.replace("dedup.", "command.")}%`]);
    }
  });

  it("that menus and walkthroughs name exist", () => {
    const inMenus = Object.values(contributes.menus).flatMap(items => items.map(({ command }) => command));
    const inTexts = Object.values(nls).flatMap(text =>
      [...text.matchAll(/\(command:(dedup\.\w+)/g)].map(([, id]) => id),
    );
    const onKeys = contributes.keybindings.map(({ command }) => command);
    const inEvents = manifestText.matchAll(/"onCommand:([\w.]+)"/g);
    for (const command of [...inMenus, ...inTexts, ...onKeys, ...[...inEvents].map(([, id]) => id)]) {
      expect(declared).toContain(command);
    }
    expect(inTexts.length).toBeGreaterThan(2);
  });
});

/** The part of a setting's JSON schema that the table decides. */
function schemaOf(setting: Setting): Partial<Property> {
  switch (setting.kind) {
    case "integer":
      return { type: "integer", default: setting.default, minimum: setting.min, maximum: setting.max };
    case "number":
      return { type: ["number", "null"], default: null, minimum: setting.min, maximum: setting.max };
    case "toggle":
      return { type: "boolean", default: setting.default };
    case "choice":
      return { type: "string", default: setting.default, enum: setting.choices };
    case "json":
      return { type: Array.isArray(setting.default) ? "array" : "object", default: setting.default ?? {} };
    default:
      return setting satisfies never;
  }
}

const tables = { ...table, MARK_MEMBERS, OUTCOMES, ROW_FIELDS, STRATEGY_IDS, texts: textsIn({ strings, texts }) };

it.each([...manifests(tables, read)])(
  "%s says what the tables say, or `npm run manifests` has to be run",
  (path, text) => expect(read(path)).toBe(text),
);

describe("settings", () => {
  const { properties } = contributes.configuration;
  const settings = Object.values(table.SECTIONS).flatMap(section => Object.values<Setting>(section));
  const inTable = settings.filter(({ key }) => key !== undefined);

  it("are the same in the manifest and in the table, each of them once", () => {
    expect(sorted(Object.keys(properties))).toEqual(sorted(inTable.map(({ key }) => `${SECTION}.${key}`)));
  });

  it.each(inTable)("have the table's type, default, range and choices: $key", setting => {
    const { type, default: byDefault, minimum, maximum, enum: choices } = properties[`${SECTION}.${setting.key}`] ?? {};
    expect({ type, default: byDefault, minimum, maximum, enum: choices }).toEqual(schemaOf(setting));
  });

  it("have a scope, a place in the order, a default and a text", () => {
    const all = Object.values(properties);
    expect(all.map(({ order }) => order)).toEqual(all.map((_, index) => index + 1));
    for (const [name, { scope, markdownDescription, ...rest }] of Object.entries(properties)) {
      expect(scope).toMatch(/^(window|machine-overridable)$/);
      expect(markdownDescription).toBe(`%${name.replace("dedup.", "setting.")}%`);
      expect(rest).toHaveProperty("default");
    }
  });

  it("explain each of their choices", () => {
    for (const { enum: choices, enumDescriptions, markdownEnumDescriptions } of Object.values(properties)) {
      if (choices) expect((enumDescriptions ?? markdownEnumDescriptions)?.length).toBe(choices.length);
    }
  });

  it("link only to settings that exist", () => {
    const links = Object.values(nls).flatMap(text => [...text.matchAll(/`#([\w.]+)#`/g)].map(([, name]) => name ?? ""));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(properties).toHaveProperty([link]);
  });

  it("that name folders only apply in a trusted workspace", () => {
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(["dedup.logRoots"]);
    expect(properties).toHaveProperty(["dedup.logRoots"]);
  });
});

describe("texts", () => {
  it("that the manifest uses exist, and all that exist are used", () => {
    const named = new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? ""));
    expect(sorted(named)).toEqual(sorted(Object.keys(nls)));
  });

  it("are nowhere in the contributions themselves", () => {
    const shown = /^(title|description|markdownDescription|name|contextualTitle|altText|category)$/;
    const check = (key: string, value: unknown): void => {
      if (typeof value === "string" && shown.test(key)) expect(value).toMatch(/^%[\w.]+%$/);
      else if (typeof value === "object" && value !== null)
        for (const [name, one] of Object.entries(value)) check(name, one);
    };
    check("", contributes);
  });
});

describe("views", () => {
  it("have the code's names", () => {
    expect(contributes.viewsContainers.panel.map(({ id }) => id)).toEqual([VIEW_CONTAINER]);
    expect(contributes.views[VIEW_CONTAINER]?.map(({ id, type }) => [id, type])).toEqual([[VIEW, "webview"]]);
  });

  it("start the extension, and only events that VS Code does not infer are listed", () => {
    expect(manifest.activationEvents).toEqual(["onStartupFinished", `onWebviewPanel:${EDITOR}`]);
    expect(manifest.extensionKind).toEqual(["workspace"]);
  });

  it("and menus and shortcuts only use known contexts", () => {
    const items = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    const conditions = items.map(({ when }) => when ?? "");
    const keys = conditions.flatMap(when => [...when.matchAll(/dedup:\w+/g)].map(([key]) => key));
    expect(sorted(new Set(keys))).toEqual(sorted(Object.values(CONTEXT_KEYS)));
    const ids = conditions.flatMap(when => [...when.matchAll(/(?<!\w)dedup\.\w+/g)].map(([id]) => id));
    for (const id of ids) expect([VIEW, EDITOR]).toContain(id);
  });

  it("and the page's context menu opens on calls", () => {
    const items = contributes.menus["webview/context"] ?? [];
    expect(items.length).toBeGreaterThan(0);
    for (const { when } of items) expect(when).toContain(`webviewSection == '${CALL_SECTION}'`);
  });
});

describe("keyboard shortcuts", () => {
  it("only take a key from VS Code where nothing else would use it", () => {
    for (const { key, args, when } of contributes.keybindings) {
      // Our own chord, or a key that means the same in code: go to definition, peek it, go to implementation.
      if (when === undefined) expect(key).toMatch(/^ctrl\+k \S+$/);
      else for (const id of args ? [TRANSCRIPT_LANGUAGE] : [VIEW, EDITOR]) expect(when).toContain(` == ${id}`);
    }
  });

  it("are the same in pages and in transcripts, where they apply to the call at the cursor", () => {
    const shortcuts = (args: string | undefined) =>
      contributes.keybindings
        .filter(shortcut => shortcut.when !== undefined && shortcut.args === args)
        .map(({ command, key, mac }) => ({ command, key, mac }));
    expect(shortcuts(AT_CURSOR)).toEqual(shortcuts(undefined));
    expect(shortcuts(AT_CURSOR).length).toBe(3);
  });

  it("exist for frequent actions", () => {
    const keys = new Map(contributes.keybindings.map(({ command, key }) => [command, key]));
    expect(keys.get(COMMANDS.openPanel)).toBe("ctrl+k alt+d");
    expect(keys.get(COMMANDS.goToReference)).toBe("f12");
    expect(new Set(keys.values()).size).toBe(keys.size);
  });
});

describe("the transcript's language", () => {
  it("is recognised by the first line that is written", () => {
    const [language] = contributes.languages;
    expect(language?.id).toBe(TRANSCRIPT_LANGUAGE);
    expect(TRANSCRIPT_TITLE).toMatch(new RegExp(language?.firstLine ?? "$^"));
    expect(Object.keys(contributes.configurationDefaults)).toEqual([`[${TRANSCRIPT_LANGUAGE}]`]);
  });

  it("has a grammar of its own", () => {
    const [grammar] = contributes.grammars;
    const { scopeName } = JSON.parse(read(grammar?.path ?? "")) as { scopeName: string };
    expect([grammar?.language, grammar?.scopeName]).toEqual([TRANSCRIPT_LANGUAGE, scopeName]);
  });

  it("colours every outcome by kind, whether or not the other call is known", () => {
    const GROUPS: Readonly<Record<OutcomeKind, number>> = {
      hit: 4,
      nearHit: 4,
      partial: 4,
      native: 4,
      realised: 4,
      forgone: 5,
      error: 6,
      miss: 7,
      bypass: 7,
    };
    const [grammar] = contributes.grammars;
    const { patterns } = JSON.parse(read(grammar?.path ?? "")) as { patterns: { name: string; match: string }[] };
    const call = new RegExp(patterns.find(({ name }) => name === "meta.call.dedup")?.match ?? "$^");
    for (const [code, outcome] of OUTCOMES.entries()) {
      const words: { name: string; line?: string; textLine?: string } = strings.outcomes[outcome];
      const name = words.name.replace(/\|.*/, "");
      for (const line of [name, words.textLine ?? words.line ?? name]) {
        const groups = call.exec(`── call 1,234 · Read a.ts · 5 tokens · ${line}`);
        expect(
          groups?.findLastIndex(group => group !== undefined),
          line,
        ).toBe(GROUPS[KIND_OF_CODE[code] ?? "miss"]);
      }
    }
  });
});

describe("translations", () => {
  it("include every text of the page and of VS Code, and nothing else", () => {
    const bundle = JSON.parse(read("l10n/bundle.l10n.json")) as Record<string, string>;
    expect(Object.keys(bundle).toSorted()).toEqual(textsIn({ strings, texts }).toSorted());
    expect(manifest.l10n).toBe("./l10n");
  });
});

describe("files", () => {
  it("that the manifest names exist", () => {
    const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map(step => step.media.svg));
    const icons = [...contributes.viewsContainers.panel, ...Object.values(contributes.views).flat()].map(
      one => one.icon,
    );
    expect(media.length).toBeGreaterThan(2);
    for (const file of [...media, ...icons]) expect(existsSync(join(REPOSITORY, file)), file).toBe(true);
  });

  it("of the walkthrough use the theme's colours", () => {
    for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const svg = read(media.svg);
      expect(svg).toContain("var(--vscode-");
      expect(svg).not.toMatch(/#[0-9a-f]{3,8}\b|rgba?\(/i);
    }
  });

  it("include an icon of 256 by 256 pixels", () => {
    const png = readFileSync(join(REPOSITORY, manifest.icon));
    expect(png.toString("latin1", 1, 4)).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([256, 256]);
  });
});

it("the issue form names a command and an output channel that exist", () => {
  const command = `${nls["category"]}: ${nls["command.showOutput"]}`;
  expect(read(".github/ISSUE_TEMPLATE/bug.yml")).toContain(`${command} (the output channel ${texts.name})`);
});

describe("versions", () => {
  it("of VS Code and of its types agree", () => {
    const minor = (version: string | undefined) => /(\d+\.\d+)/.exec(version ?? "")?.[1];
    expect(minor(manifest.devDependencies["@types/vscode"])).toBe(minor(manifest.engines.vscode));
  });
});
