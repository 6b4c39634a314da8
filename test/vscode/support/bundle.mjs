// Bundles the suites for the extension host: every *.test.ts that exists, without a manual list.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const folder = fileURLToPath(new URL("../suite/", import.meta.url));

/**
 * @param {string} outfile
 * @param {readonly string[]} names only files whose name starts with one of these; all if empty
 * @returns {Promise<number>} the number of test files
 */
export async function bundleSuites(outfile, names) {
  const files = readdirSync(folder)
    .filter(name => name.endsWith(".test.ts"))
    .filter(file => names.length === 0 || names.some(name => file.startsWith(name)))
    .sort();
  if (files.length === 0) throw new Error(`no tests in ${folder}`);
  const contents = [...files.map(name => `import "./${name}";`), 'export { run } from "./runner.js";'].join("\n");
  await esbuild.build({
    stdin: { contents, resolveDir: folder, sourcefile: join(folder, "all.ts"), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
    outfile,
  });
  return files.length;
}
