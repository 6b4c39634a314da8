/**
 * Claude Code records every marketplace that its settings have named, and keeps looking for it even if they no longer
 * do. So our record is removed, too.
 */
import { join } from "node:path";
import { memberOf, parseJson, propertyOf, withoutChildren } from "./jsonEdit.js";
import { isModFolder, MARKETPLACE } from "./programCommand.js";
import { readIfThere, replaceFile } from "./settingsFile.js";

/** `configFolders`: Claude Code's own. On failure, Claude Code only warns in its debug log. */
export async function forgetMarketplace(configFolders: () => readonly string[]): Promise<void> {
  try {
    for (const folder of configFolders()) await forgetIn(folder);
  } catch {
    // The folders are unknown.
  }
}

async function forgetIn(configFolder: string): Promise<void> {
  try {
    const file = join(configFolder, "plugins", "known_marketplaces.json");
    const text = readIfThere(file);
    const record = text === undefined ? undefined : propertyOf(parseJson(text), MARKETPLACE);
    if (text === undefined || record === undefined) return;
    const location: unknown = memberOf(record.children?.[1], "installLocation")?.value;
    if (!isModFolder(location)) return;
    await replaceFile(file, withoutChildren(text, new Set([record])), () => {
      if (readIfThere(file) !== text) throw new Error("Claude Code has just changed it");
    });
  } catch {
    // Not a format that we understand: leave it alone.
  }
}
