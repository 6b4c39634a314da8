// Claude Code from npm, in the git-ignored cache, never as a dependency. Its native binary is a separate package.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filledFolder, npmInstall } from "../../../scripts/npmFolder.mjs";

/** The newest version tested. */
export const NEWEST = "2.1.327";

const cache = fileURLToPath(new URL("../../../.claude-test/", import.meta.url));

/**
 * The path of the program. Throws if it cannot be installed.
 * @param {string} version
 * @returns {Promise<string>}
 */
export async function ensureClaude(version = process.env.CLAUDE_VERSION ?? NEWEST) {
  const platform = `${process.platform}-${process.arch}`;
  const folder = await filledFolder(cache, `claude-code-${version}`, async unfinished => {
    await npmInstall(unfinished, `@anthropic-ai/claude-code@${version}`);
  });
  return join(folder, "node_modules", "@anthropic-ai", `claude-code-${platform}`, "claude");
}
