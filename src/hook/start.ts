/**
 * Starts the hook program. Compiling it would take longer than running it, so V8's code cache is kept beside it, where
 * it is as trustworthy as the program itself. Whatever goes wrong, Claude Code continues as if there were no hook.
 */
import { readFileSync, statSync } from "node:fs";
import { Script } from "node:vm";
import { writeWholeSync } from "../files/wholeFile.js";
import type * as Program from "./main.js";

const PROGRAM = `${__dirname}/hookProgram.js`;
/** A code cache is valid for one version of Node only. */
const CODE_CACHE = `${__dirname}/hookProgram.${process.version}.${process.arch}.compiled`;

const loaded: Record<string, unknown> = {};

interface Compiled {
  readonly data: Buffer;
  /** How much of the program ran before it was made: the functions that ran are in it. */
  readonly reach: number;
}

try {
  start();
} catch {
  // The tool's result reaches the model unchanged.
}
// Faster than letting Node tear down the heap. The exit code is 0 unless the answer could not be written.
process.exit();

function start(): void {
  const source = readFileSync(PROGRAM);
  const text = `(function(exports,require,module){${source.toString("utf8")}\n})`;
  const compiled = readCompiled(source);
  const script = new Script(text, { filename: PROGRAM, ...(compiled && { cachedData: compiled.data }) });
  const module = { exports: {} as typeof Program };
  script.runInThisContext()(module.exports, requireOnce, module);
  const reach = module.exports.runHook(process.argv.slice(2), __dirname);
  const known = script.cachedDataRejected === false ? (compiled?.reach ?? 0) : 0;
  if (reach > known) keepCompiled(script, source, reach);
}

/** Every module of the program requires what it needs, and each call of Node's `require` takes time. */
function requireOnce(name: string): unknown {
  loaded[name] ??= require(name);
  return loaded[name];
}

/**
 * V8 checks nothing but the length of the source. So the file has the source itself, to be compared, and two copies of
 * the data. A file that was damaged, or cut short by a crash, is ignored.
 */
function readCompiled(source: Buffer): Compiled | undefined {
  try {
    if (!statSync(CODE_CACHE).isFile()) return undefined;
    const file = readFileSync(CODE_CACHE);
    const begin = 1 + source.length;
    const middle = begin + (file.length - begin) / 2;
    const data = file.subarray(begin, middle);
    const isWhole = file.subarray(1, begin).equals(source) && data.equals(file.subarray(middle));
    return isWhole && data.length > 0 ? { data, reach: file[0] ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}

/** If this fails, the next call compiles again. */
function keepCompiled(script: Script, source: Buffer, reach: number): void {
  const data = script.createCachedData();
  writeWholeSync(CODE_CACHE, Buffer.concat([Buffer.of(reach), source, data, data]));
}
