/** Copies of the hook program and the mod for Claude Code: they stay in place when the package is updated or moved. */
import { existsSync, lstatSync, promises } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, dataFolder } from "../../files/folders.js";
import { makeFolder } from "../../files/makeFolder.js";
import { readSmallFile } from "../../files/openFile.js";
import { type Mark, removeIfEmpty, removeIfOurs, removeOwnFiles } from "../../files/ownFiles.js";
import { writeWhole } from "../../files/wholeFile.js";
import { LIVE_SETTINGS_START, type LiveSettings, renderLiveSettings } from "../../settings/liveSettings.js";
import { liveSettingsFile, readLiveSettings } from "../hookSettings.js";
import { SESSION_FILES } from "../stateFile.js";
import { MARKETPLACE, modFolder, PLUGIN, programPath } from "./programCommand.js";
import { inTurn } from "./turns.js";

/** The entry point is copied last, so that it never starts an incomplete program. */
const PROGRAM_FILES = ["hookProgram.js", "statusProgram.js", "hook.js"];
/** All files contain one of these names, and so does V8's code cache. */
const PROGRAM: Mark = {
  name: /^(?:hook\.js|(?:hook|status)Program\.(?:js|v[\w.-]+\.compiled))$/,
  begins: /dedup-inspector|hookProgram/,
};
const HOOK_LOG: Mark = { name: /^hook\.log$/, begins: /^\d{4}-\d\d-\d\dT/ };
const SETTINGS: Mark = { name: /^liveHints\.json$/, begins: new RegExp(`^${LIVE_SETTINGS_START.replace("{", "\\{")}`) };
const MOD: Mark = { name: /^(?:marketplace|plugin|hooks)\.json$|^register\.js$/, begins: /dedup-inspector/ };
const MAX_BYTES = 16 * 1024 * 1024;

/** A marketplace with one plugin, which Claude Code loads in place. */
const MANIFESTS = {
  ".claude-plugin/marketplace.json": {
    name: MARKETPLACE,
    owner: { name: "dedup-inspector" },
    plugins: [{ name: PLUGIN, source: "./plugin" }],
  },
  "plugin/.claude-plugin/plugin.json": {
    name: PLUGIN,
    description: "Live hints. Change their settings in VS Code or with dedup-inspector hooks install.",
    // Display options are set in Claude Code itself.
    userConfig: {
      line: {
        type: "boolean",
        title: "Line above the prompt",
        description: "Always show how full the context is, how much repeats and what was saved, in one short line.",
        default: false,
      },
    },
  },
  // Versions that do not know modules require hooks.
  "plugin/hooks/hooks.json": { description: "dedup-inspector", modules: ["./register.js"], hooks: {} },
};
const MODULE = "plugin/hooks/register.js";

/** Updates the copies if there are any. */
export async function updateProgram(shipped: string): Promise<void> {
  const isInstalled = () => existsSync(programPath());
  // Without them, nothing is to be created, not even for a moment.
  if (isInstalled()) await inTurn(async () => isInstalled() && copyProgram(shipped));
}

/** `shipped`: the hook program in the package; the mod is next to it. */
export async function copyProgram(shipped: string): Promise<void> {
  const package_ = dirname(shipped);
  for (const name of PROGRAM_FILES)
    await copy(await promises.readFile(join(package_, name)), join(dataFolder(), name), PROGRAM);
  await copy(await promises.readFile(join(package_, "register.js")), join(modFolder(), MODULE), MOD);
  for (const [name, manifest] of Object.entries(MANIFESTS)) {
    await copy(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), join(modFolder(), name), MOD);
  }
}

async function copy(content: Buffer, path: string, { begins }: Mark): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) {
    const present = stats.isFile() ? readSmallFile(path, { maxBytes: MAX_BYTES }) : undefined;
    if (present?.equals(content)) return;
    const isOurs = present !== undefined && (present.length === 0 || begins.test(present.toString("latin1")));
    if (!isOurs) throw new Error(`${path} does not belong to this program and was not changed`);
  }
  makeFolder(dirname(path));
  await writeWhole(path, content);
}

/** The settings of live hints; undefined if nothing was ever set. */
export function chosenSettings(): LiveSettings | undefined {
  return readLiveSettings(dataFolder());
}

/**
 * Changes the settings: `update` is given the ones that another process may just have written, or `none` if nothing was
 * ever set. Without `none`, nothing is set then either.
 */
export async function updateSettings(
  update: (chosen: LiveSettings) => LiveSettings,
  none?: LiveSettings,
): Promise<void> {
  if ((chosenSettings() ?? none) === undefined) return;
  await inTurn(async () => {
    const chosen = chosenSettings() ?? none;
    if (chosen !== undefined) await chooseSettings(update(chosen));
  });
}

/** Takes effect on the hook's next call and the mod's next prompt. */
export async function chooseSettings(settings: LiveSettings): Promise<void> {
  await copy(Buffer.from(renderLiveSettings(settings)), liveSettingsFile(dataFolder()), SETTINGS);
}

/** Reverts to the previous settings, as far as possible: something has already failed. */
export async function takeBackSettings(chosen: LiveSettings | undefined): Promise<void> {
  const path = liveSettingsFile(dataFolder());
  if (chosen === undefined) removeIfOurs({ path, modified: 0, isWhole: true }, SETTINGS);
  else await chooseSettings(chosen).catch(() => {});
}

/** Removes the copies and the files that they wrote, and nothing else. */
export function removeProgram(): void {
  for (const folder of ["plugin/hooks", "plugin/.claude-plugin", "plugin", ".claude-plugin", ""]) {
    removeOwnFiles(join(modFolder(), folder), [MOD]);
  }
  removeOwnFiles(dataFolder(), [PROGRAM, SETTINGS]);
  removeOwnFiles(join(cacheFolder(), "hook"), [SESSION_FILES, HOOK_LOG]);
  removeIfEmpty(cacheFolder());
}
