// Compiles our programs in AssemblyScript (the scanner and the replay kernel) to WebAssembly and puts each into a module that
// everything can import. The modules are committed, because the compiler takes longer than the rest of the build; they are
// made anew only if their sources have changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert", "--use", "abort="];

/** The folders of src with such a program, and the names of the constants with the compiled ones. */
export const COMPILED = { scanner: "SCANNER", kernel: "KERNEL", sums: "SUMS" };

function folderOf(program) {
  return fileURLToPath(new URL(`../src/${program}`, import.meta.url));
}

/** The sources by the names under which they import each other. */
function sources(program) {
  const folder = folderOf(program);
  const own = readdirSync(join(folder, "assembly")).map(name => `assembly/${name}`);
  return new Map(["layout.ts", ...own].map(name => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Writes the modules, unless they are there for these sources. */
export async function compilePrograms() {
  for (const program of Object.keys(COMPILED)) {
    const compiled = join(folderOf(program), "compiled.ts");
    if (!isUpToDate(compiled, headOf(sources(program)))) writeFileSync(compiled, await moduleOf(program));
  }
}

/** The module as the present sources give it. */
export async function moduleOf(program) {
  const files = sources(program);
  const { default: asc } = await import("assemblyscript/asc");
  let wasm;
  const { error, stderr } = await asc.main(["assembly/index.ts", "--outFile", `${program}.wasm`, ...OPTIONS], {
    readFile: name => files.get(name) ?? null,
    writeFile: (_, contents) => {
      wasm = Buffer.from(contents);
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the ${program} does not compile: ${stderr.toString()}`);
  return `${headOf(files)}export const ${COMPILED[program]} =\n  "${wasm.toString("base64")}";\n`;
}

/** The first line, which is different for other sources. */
function headOf(files) {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const version = JSON.parse(manifest).devDependencies.assemblyscript;
  const stamp = createHash("sha256").update(JSON.stringify([version, OPTIONS, ...files]));
  return `// Made by scripts/scanner.mjs from ${stamp.digest("hex")}.\n`;
}

function isUpToDate(compiled, head) {
  try {
    return readFileSync(compiled, "utf8").startsWith(head);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compilePrograms();
