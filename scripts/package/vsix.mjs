// Packages the build so that everyone who packages the same commit gets the same bytes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";
import { evenZip } from "./evenZip.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @param {string} folder where it is written
 * @param {string} [from] the repository to package
 * @returns {Promise<string>} its path
 */
export async function packageExtension(folder, from = repository) {
  const { name, version } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const packagePath = join(folder, `${name}-${version}.vsix`);
  const options = { dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX({ cwd: from, packagePath, ...options });
  writeFileSync(packagePath, evenZip(readFileSync(packagePath)));
  return packagePath;
}
