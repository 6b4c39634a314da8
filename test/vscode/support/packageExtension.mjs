import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";

const cwd = fileURLToPath(new URL("../../../", import.meta.url));

/** Packages the extension as `npm run package` does, from what is built. */
export async function packageExtension(folder) {
  const packagePath = join(folder, "dedup-inspector.vsix");
  const options = { cwd, packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX(options);
  return packagePath;
}
