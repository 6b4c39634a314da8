// Compiles our program in AssemblyScript (the scanner, the reader of facts and the replay kernel) to WebAssembly and puts it
// into a module that everything can import. The module is committed, because the compiler takes longer than the rest of the
// build; it is made anew only if its sources have changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert", "--use", "abort="];

/** The folders of src with parts of the program, and the first of its sources. */
const FOLDERS = ["scanner", "kernel"];
const ENTRY = "kernel/assembly/index.ts";
const COMPILED = fileURLToPath(new URL("../src/scanner/compiled.ts", import.meta.url));

/** The sources by the names under which they import each other. */
function sources() {
  const src = fileURLToPath(new URL("../src", import.meta.url));
  const names = FOLDERS.flatMap(folder =>
    [
      ...readdirSync(join(src, folder)).filter(name => /layout\.ts$/i.test(name)),
      ...readdirSync(join(src, folder, "assembly"), { recursive: true })
        .filter(name => name.endsWith(".ts"))
        .map(name => `assembly/${name.replaceAll("\\", "/")}`),
    ].map(name => `${folder}/${name}`),
  );
  return new Map(names.sort().map(name => [name, readFileSync(join(src, name), "utf8")]));
}

/** Writes the module, unless it is there for these sources. */
export async function compileProgram() {
  if (!isUpToDate(headOf(sources()))) writeFileSync(COMPILED, moduleOf(await compiledProgram()));
}

/** The program as the present sources give it. */
export async function compiledProgram() {
  const files = sources();
  const { default: asc } = await import("assemblyscript/asc");
  let wasm;
  const { error, stderr } = await asc.main([ENTRY, "--outFile", "program.wasm", ...OPTIONS], {
    readFile: name => files.get(name) ?? null,
    writeFile: (_, contents) => {
      wasm = Buffer.from(contents);
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`the program does not compile: ${stderr.toString()}`);
  return wasm;
}

/** The module with a program. Compressed, a third of it is left, also in a package. */
function moduleOf(wasm) {
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
  return `${headOf(sources())}export const PROGRAM =\n  "${packed.toString("base64")}";\n`;
}

/** The first line, which is different for other sources. */
function headOf(files) {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const version = JSON.parse(manifest).devDependencies.assemblyscript;
  const stamp = createHash("sha256").update(JSON.stringify([version, OPTIONS, "brotli", ...files]));
  return `// Made by scripts/scanner.mjs from ${stamp.digest("hex")}.\n`;
}

function isUpToDate(head) {
  try {
    return readFileSync(COMPILED, "utf8").startsWith(head);
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compileProgram();
