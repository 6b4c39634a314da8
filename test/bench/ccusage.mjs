// ccusage's native binary, the fastest known reader of these logs. It adds up usage; it replays nothing.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VERSION = "20.0.24";
const PACKAGE = `@ccusage/ccusage-${process.platform}-${process.arch}`;
const CACHE = new URL("../../.vscode-test/bench", import.meta.url).pathname;

export const CCUSAGE = `ccusage ${VERSION}`;

/** The binary's path, installed from npm on first use; undefined if it is not available. */
export function ccusage() {
  const folder = join(CACHE, "node_modules", PACKAGE);
  const binary = join(folder, "bin", "ccusage");
  if (!existsSync(binary)) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(join(CACHE, "package.json"), '{ "private": true }\n');
    const args = [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      `${PACKAGE}@${VERSION}`,
    ];
    spawnSync("npm", args, { cwd: CACHE, stdio: ["ignore", "ignore", "inherit"] });
  }
  if (!existsSync(binary)) return undefined;
  chmodSync(binary, 0o755);
  return binary;
}
