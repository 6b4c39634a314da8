/**
 * Starts the hook program, or the one that answers Claude Code's status line. Compiling it would take longer than running
 * it, so V8's code cache is kept beside it, where it is as trustworthy as the program itself. Whatever goes wrong, Claude
 * Code continues as if there were no hook.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { Script } from "node:vm";
import { writeWholeSync } from "../files/wholeFile.js";

const NAME = `${__dirname}/${process.argv[2] === "statusline" ? "statusProgram" : "hookProgram"}`;
const PROGRAM = `${NAME}.js`;
/** A code cache is valid for one version of Node only. */
const CODE_CACHE = `${NAME}.${process.version}.${process.arch}.compiled`;

const loaded: Record<string, unknown> = {};

interface Program {
  /** `folder`: where the program is. Returns which parts of it ran, a bit for each; 0 if too much ran for a code cache. */
  runHook(args: readonly string[], folder: string): number;
}

interface Compiled {
  readonly data: Buffer;
  /** The parts that have run in some call so far: the functions that ran are in it. */
  readonly parts: number;
}

try {
  start();
} catch {
  // The tool's result reaches the model unchanged.
}
// Faster than letting Node tear down the heap. The exit code is 0 unless the answer could not be written.
process.exit();

function start(): void {
  const source = readWhole(PROGRAM);
  // All of it is ASCII, and one function: see the build.
  const text = source.toString("latin1");
  const compiled = readCompiled(source);
  const script = new Script(text, { filename: PROGRAM, ...(compiled && { cachedData: compiled.data }) });
  const module = { exports: {} as Program };
  script.runInThisContext()(module.exports, requireOnce, module);
  const parts = module.exports.runHook(process.argv.slice(2), __dirname);
  const known = script.cachedDataRejected === false ? (compiled?.parts ?? 0) : 0;
  if ((parts & ~known) !== 0) keepCompiled(script, source, parts | known);
}

/** Every module of the program requires what it needs, and each call of Node's `require` takes time. */
function requireOnce(name: string): unknown {
  loaded[name] ??= require(name);
  return loaded[name];
}

/** The bytes of a regular file. Node's own `readFileSync` needs more functions, which are compiled in every process. */
function readWhole(path: string): Buffer {
  // Opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    if (readSync(file, bytes, 0, bytes.length, null) !== bytes.length) throw new Error(`${path} is cut short`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/**
 * V8 checks nothing but the length of the source. So the file has the source itself, to be compared, and two copies of
 * the data. A file that was damaged, or cut short by a crash, is ignored.
 */
function readCompiled(source: Buffer): Compiled | undefined {
  try {
    const file = readWhole(CODE_CACHE);
    const begin = 1 + source.length;
    const middle = begin + (file.length - begin) / 2;
    const data = file.subarray(begin, middle);
    const isWhole = file.subarray(1, begin).equals(source) && data.equals(file.subarray(middle));
    return isWhole && data.length > 0 ? { data, parts: file[0] ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}

/** If this fails, the next call compiles again. */
function keepCompiled(script: Script, source: Buffer, parts: number): void {
  const data = script.createCachedData();
  writeWholeSync(CODE_CACHE, Buffer.concat([Buffer.of(parts), source, data, data]));
}
