// Compiles the scanner (src/scanner/assembly) to WebAssembly and puts it into a module that everything can import. The
// module is committed, because the compiler takes longer than the rest of the build; it is made anew only if the sources
// have changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../src/scanner", import.meta.url));
const compiled = join(folder, "compiled.ts");
const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert", "--use", "abort="];

/** The sources by the names under which they import each other. */
function sources() {
  const own = readdirSync(join(folder, "assembly")).map(name => `assembly/${name}`);
  return new Map(["layout.ts", ...own].map(name => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Writes the module, unless it is there for these sources. */
export async function compileScanner() {
  if (!isUpToDate(headOf(sources()))) writeFileSync(compiled, await scannerModule());
}

/** The module as the present sources give it. */
export async function scannerModule() {
  const files = sources();
  const { default: asc } = await import("assemblyscript/asc");
  let wasm;
  const { error, stderr } = await asc.main(["assembly/index.ts", "--outFile", "scanner.wasm", ...OPTIONS], {
    readFile: name => files.get(name) ?? null,
    writeFile: (_, contents) => {
      wasm = Buffer.from(contents);
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the scanner does not compile: ${stderr.toString()}`);
  return `${headOf(files)}export const SCANNER =\n  "${wasm.toString("base64")}";\n`;
}

/** The first line, which is different for other sources. */
function headOf(files) {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const version = JSON.parse(manifest).devDependencies.assemblyscript;
  const stamp = createHash("sha256").update(JSON.stringify([version, OPTIONS, ...files]));
  return `// Made by scripts/scanner.mjs from ${stamp.digest("hex")}.\n`;
}

function isUpToDate(head) {
  try {
    return readFileSync(compiled, "utf8").startsWith(head);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileScanner();
