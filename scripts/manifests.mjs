// `npm run manifests`: writes what other files say about our tables. From the settings in src/settings/table.ts come VS Code's
// configuration, its texts, the plugin's options, and the variables by which the kernel goes; from the lists of outcomes, events,
// fields of rows and ways to save, the numbers that the kernel and the sums have for them; from all texts, what there is to translate: a translation is a
// copy beside it, such as bundle.l10n.de.json. A test says if they are out of date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { applyEdits, modify } from "jsonc-parser";
import { bundled } from "./bundled.mjs";

/** By path, the files as they have to be. `read` gives one as it is. */
export function manifests({ SECTIONS, HINTS, IN_MANIFESTS, texts, ...lists }, read) {
  const table = Object.assign({}, ...Object.values(SECTIONS));
  const settings = Object.entries(IN_MANIFESTS).map(([name, words]) => ({ name, ...table[name], ...words }));
  const options = settings.filter(({ name }) => name in HINTS).map(({ name, ...setting }) => [name, option(setting)]);
  const plugin = "plugin/.claude-plugin/plugin.json";
  const { userConfig } = JSON.parse(read(plugin));
  const others = Object.entries(userConfig).filter(([name]) => !(name in table));
  const configuration = ["contributes", "configuration", "properties"];
  return new Map([
    ["package.json", withMember(read("package.json"), configuration, Object.fromEntries(settings.map(property)))],
    ["package.nls.json", withTexts(read("package.nls.json"), settings.flatMap(textsOf))],
    [plugin, withMember(read(plugin), ["userConfig"], Object.fromEntries([...options, ...others]))],
    ["src/kernel/assembly/settings.ts", kernelSettings(Object.entries(SECTIONS.REPLAY))],
    ["src/kernel/tableLayout.ts", kernelNumbers(lists)],
    ["src/sums/cellLayout.ts", `${MADE}\n${cellNumbers(lists)}`],
    ["l10n/bundle.l10n.json", jsonOf(texts.map(text => [text, text]))],
  ]);
}

/** Leaves everything else as it is, to the byte. */
function withMember(json, path, value) {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return applyEdits(json, modify(json, path, value, { formattingOptions }));
}

/** In place of the settings' texts that are there. */
function withTexts(json, texts) {
  const all = Object.entries(JSON.parse(json));
  const isOfSetting = ([key]) => key.startsWith("setting.");
  const others = all.filter(one => !isOfSetting(one)).toSpliced(all.findIndex(isOfSetting), 0, ...texts);
  return jsonOf(others);
}

function jsonOf(members) {
  return `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`;
}

/** A setting in VS Code's configuration. */
function property({ key, choices, schema, scope = "window", ...setting }, index) {
  const text = `setting.${key}`;
  const described = choices && Object.keys(choices);
  return [
    `dedup.${key}`,
    {
      ...typeOf(setting),
      ...(described && { enum: described, markdownEnumDescriptions: described.map(choice => `%${text}.${choice}%`) }),
      ...schema,
      default: setting.default ?? (setting.kind === "number" ? null : {}),
      scope,
      order: index + 1,
      markdownDescription: `%${text}%`,
    },
  ];
}

function typeOf({ kind, default: byDefault, min, max }) {
  switch (kind) {
    case "integer":
      return { type: "integer", minimum: min, maximum: max };
    case "number":
      return { type: ["number", "null"], minimum: min, maximum: max };
    case "toggle":
      return { type: "boolean" };
    case "choice":
      return { type: "string" };
    default:
      return { type: Array.isArray(byDefault) ? "array" : "object" };
  }
}

function textsOf({ key, about, choices = {} }) {
  const texts = Object.entries(choices).map(([choice, text]) => [`setting.${key}.${choice}`, text]);
  return [...texts, [`setting.${key}`, about]];
}

/** A setting among the plugin's options: Claude Code has no lists of choices there, and no objects. */
function option({ kind, default: byDefault, min, option: words }) {
  if (kind === "integer") return { type: "number", ...words, default: byDefault, min };
  if (kind === "toggle") return { type: "boolean", ...words, default: byDefault };
  return { type: "string", ...words, default: kind === "choice" ? byDefault : "" };
}

/** The source in AssemblyScript with a variable for each setting of the replay, which `ReplayKernel.begin` sets. */
function kernelSettings(settings) {
  const types = { integer: "f64", number: "f64", toggle: "bool", choice: "i32", json: "bool" };
  const lines = settings.flatMap(([name, { kind, choices = [] }]) => [
    `export let ${name}: ${types[kind]} = ${types[kind] === "bool" ? "false" : "0"};`,
    ...choices.map((choice, index) => `export const ${constant(`${name}_${choice}`)}: i32 = ${index};`),
  ]);
  return [
    "/**",
    " * The settings of the current replay, made by `npm run manifests` from src/settings/table.ts: a number, whether a toggle is on,",
    " * whether an object says anything, which choice it is. src/kernel/kernel.ts sets them by their names.",
    " */",
    "",
    "// biome-ignore-all lint/style/useConst: they are set from outside.",
    ...lines,
    "",
  ].join("\n");
}

const MADE = "// Made by `npm run manifests`.\n";

/** What the kernel calls by its place in a list of ours. */
function kernelNumbers({ OUTCOMES, MARK_MEMBERS, ROW_FIELDS, STRATEGY_IDS }) {
  return [
    MADE,
    "/** The outcomes of results, as in a row: `OUTCOMES` in src/inspect/outcomes.ts. */",
    ...numbered(OUTCOMES, outcome => outcome),
    "",
    "/** The kinds of marks: `MARK_MEMBERS` in src/dedup/events.ts. */",
    ...numbered(Object.keys(MARK_MEMBERS), kind => `${kind}_mark`),
    "",
    cellNumbers({ ROW_FIELDS }),
    "/** The ways to save: `STRATEGIES` in src/inspect/strategies.ts. */",
    ...numbered(STRATEGY_IDS, strategy => `${strategy}_way`),
    `export const WAYS = ${STRATEGY_IDS.length};`,
    "",
  ].join("\n");
}

function cellNumbers({ ROW_FIELDS }) {
  return [
    "/** The cells of a row: `ROW_FIELDS` in src/inspect/rows.ts. */",
    ...numbered(ROW_FIELDS, field => `row_${field}`),
    `export const ROW_WORDS = ${ROW_FIELDS.length};`,
    "",
  ].join("\n");
}

function numbered(names, nameOf) {
  return names.map((name, index) => `export const ${constant(nameOf(name))} = ${index};`);
}

function constant(name) {
  return name.replace(/[A-Z]/g, "_$&").replace(/\W/g, "_").toUpperCase();
}

/** `--out FOLDER` writes them there instead. */
async function writeManifests() {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const { textsIn, strings, inVsCode, ...tables } = await bundled(`
    export * from "./src/settings/table.ts";
    export { MARK_MEMBERS } from "./src/dedup/events.ts";
    export { OUTCOMES } from "./src/inspect/outcomes.ts";
    export { ROW_FIELDS } from "./src/inspect/rows.ts";
    export { STRATEGY_IDS } from "./src/inspect/strategies.ts";
    export { texts as inVsCode } from "./src/vscode/vscodeStrings.ts";
    export { strings } from "./src/words/strings.ts";
    export { textsIn } from "./src/words/translate.ts";
  `);
  const texts = textsIn({ strings, texts: inVsCode });
  for (const [path, text] of manifests({ ...tables, texts }, path => readFileSync(path, "utf8"))) {
    const file = join(values.out ?? ".", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`written: ${path}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeManifests();
