// Compiles our AssemblyScript programs (the scanner, the reader of facts and the replay kernel are one, the sums of a
// report another) to WebAssembly and puts them into modules that anything can import. The modules are committed,
// because the compiler takes longer than the rest of the build; they are only rebuilt if their sources have changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert", "--use", "abort="];

/**
 * By the folder in src that has the module: the folders with the program's sources, the first of which has the entry
 * file, and the name of the constant for the compiled program.
 */
export const COMPILED = {
  scanner: { folders: ["kernel", "scanner"], constant: "PROGRAM" },
  sums: { folders: ["sums"], constant: "SUMS" },
};

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** The sources by the names under which they import each other. */
function sources(folders) {
  const names = folders.flatMap(folder =>
    [
      ...readdirSync(join(SRC, folder)).filter(name => /layout\.ts$/i.test(name)),
      ...readdirSync(join(SRC, folder, "assembly"), { recursive: true })
        .filter(name => name.endsWith(".ts"))
        .map(name => `assembly/${name.replaceAll("\\", "/")}`),
    ].map(name => `${folder}/${name}`),
  );
  return new Map(names.sort().map(name => [name, readFileSync(join(SRC, name), "utf8")]));
}

/** Writes the modules, unless they are up to date. */
export async function compilePrograms() {
  for (const [name, { folders, constant }] of Object.entries(COMPILED)) {
    const path = join(SRC, name, "compiled.ts");
    const head = headOf(sources(folders));
    if (!isUpToDate(path, head)) writeFileSync(path, `${head}${moduleOf(constant, await compiledProgram(name))}`);
  }
}

/** The program, compiled from the current sources. */
export async function compiledProgram(name) {
  const { folders } = COMPILED[name];
  const files = sources(folders);
  const { default: asc } = await import("assemblyscript/asc");
  let wasm;
  const { error, stderr } = await asc.main(
    [`${folders[0]}/assembly/index.ts`, "--outFile", "program.wasm", ...OPTIONS],
    {
      readFile: name => files.get(name) ?? null,
      writeFile: (_, contents) => {
        wasm = Buffer.from(contents);
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`the program does not compile: ${stderr.toString()}`);
  return wasm;
}

/** The module with a program, compressed to a third of its size, which also makes packages smaller. */
function moduleOf(constant, wasm) {
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
  return `export const ${constant} =\n  "${packed.toString("base64")}";\n`;
}

/** The first line, which changes with the sources. */
function headOf(files) {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const version = JSON.parse(manifest).devDependencies.assemblyscript;
  const stamp = createHash("sha256").update(JSON.stringify([version, OPTIONS, "brotli", ...files]));
  return `// Made by scripts/scanner.mjs from ${stamp.digest("hex")}.\n`;
}

function isUpToDate(path, head) {
  try {
    return readFileSync(path, "utf8").startsWith(head);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compilePrograms();
