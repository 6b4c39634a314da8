// Packages the build so that everyone who packages the same commit gets the same bytes.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { drawing } from "./drawing.mjs";
import { evenZip } from "./evenZip.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @param {string} folder where to write it
 * @param {string} [from] the repository to package
 * @returns {Promise<string>} its path
 */
export async function packageExtension(folder, from = repository) {
  const { files: _, ...manifest } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const packagePath = join(folder, `${manifest.name}-${manifest.version}.vsix`);
  const staged = mkdtempSync(join(tmpdir(), "dedup-vsix-"));
  try {
    for (const name of await listFiles({ cwd: from, packageManager: PackageManager.None })) {
      mkdirSync(dirname(join(staged, name)), { recursive: true });
      copyFileSync(join(from, name), join(staged, name));
    }
    // `files` is for npm; vsce refuses to package a manifest that has it together with a .vscodeignore.
    copyFileSync(join(from, ".vscodeignore"), join(staged, ".vscodeignore"));
    writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const readme = readFileSync(join(from, "README.md"), "utf8");
    // If the repository is known, vsce points links and pictures there.
    const rewriteRelativeLinks = manifest.repository !== undefined;
    writeFileSync(join(staged, "README.md"), rewriteRelativeLinks ? readme : withDrawing(readme, from));
    await createVSIX({
      cwd: staged,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      rewriteRelativeLinks,
    });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  writeFileSync(packagePath, evenZip(readFileSync(packagePath)));
  return packagePath;
}

/** Puts the drawing in place of the first picture. VS Code would load none of them. */
function withDrawing(markdown, folder) {
  const picture = /^!\[[^\]]*\]\(media\/[^)]*\)\n+/gm;
  let drawn = `${drawing(folder)}\n\n`;
  return markdown.replace(picture, () => {
    const shown = drawn;
    drawn = "";
    return shown;
  });
}
