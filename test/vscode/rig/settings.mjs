// User settings for a workbench under test, including themes.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Ids that both the oldest and the newest tested VS Code know. */
export const themes = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  highContrast: "Default High Contrast",
  highContrastLight: "Default High Contrast Light",
};

/** A workbench that looks the same each time and hides what newer releases want to promote. */
const quiet = {
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "workbench.colorTheme": themes.dark,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.experimentalOnboarding": false,
};

/**
 * Writes user settings. A workbench in a browser usually keeps them in the browser, but code-server keeps them on the
 * server, in User/settings.json of the user data folder. (Machine/settings.json there works too and wins over it, but no
 * user edits that one.) They are read when a page loads: an open workbench shows a change after a reload.
 * @param {string} userDataDir
 * @param {Record<string, unknown>} [settings] e.g. { "workbench.colorTheme": themes.light }
 */
export async function writeSettings(userDataDir, settings = {}) {
  const file = join(userDataDir, "User", "settings.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...quiet, ...settings }, undefined, 2)}\n`);
}
