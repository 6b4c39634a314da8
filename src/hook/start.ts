/**
 * Starts the hook program, whose compilation would take longer than its work: what V8 made of it is kept beside it, where
 * it is as trustworthy as the program itself. Whatever goes wrong, Claude Code goes on as if there were no hook.
 */
import { readFileSync, statSync } from "node:fs";
import { Script } from "node:vm";
import { writeWholeSync } from "../files/wholeFile.js";
import type * as Program from "./main.js";

const PROGRAM = `${__dirname}/hookProgram.js`;
/** Another version of Node needs another. */
const KEPT = `${__dirname}/hookProgram.${process.version}.${process.arch}.compiled`;

const loaded: Record<string, unknown> = {};

interface Compiled {
  readonly data: Buffer;
  /** How far the call had come whose functions are in it. */
  readonly reach: number;
}

try {
  start();
} catch {
  // Nothing can be said: the tool's result reaches the model unchanged.
}
// Without taking the heap down piece by piece; 0, but for an answer that nobody took.
process.exit();

function start(): void {
  const source = readFileSync(PROGRAM);
  const text = `(function(exports,require,module){${source.toString("utf8")}\n})`;
  const compiled = readCompiled(source);
  const script = new Script(text, { filename: PROGRAM, ...(compiled && { cachedData: compiled.data }) });
  const module = { exports: {} as typeof Program };
  script.runInThisContext()(module.exports, requireOnce, module);
  const reach = module.exports.runHook(process.argv.slice(2));
  const known = script.cachedDataRejected === false ? (compiled?.reach ?? 0) : 0;
  if (reach > known) keepCompiled(script, source, reach);
}

/** Each module of the program asks for what it needs, and Node takes its time for every question. */
function requireOnce(name: string): unknown {
  loaded[name] ??= require(name);
  return loaded[name];
}
/**
 * V8 takes what it is given at its word, but for the length of the source: so the source itself is compared, and two
 * copies of the data with one another. A file that was damaged, or cut short by a crash, is as good as none.
 */
function readCompiled(source: Buffer): Compiled | undefined {
  try {
    if (!statSync(KEPT).isFile()) return undefined;
    const file = readFileSync(KEPT);
    const begin = 1 + source.length;
    const middle = begin + (file.length - begin) / 2;
    const data = file.subarray(begin, middle);
    const isWhole = file.subarray(1, begin).equals(source) && data.equals(file.subarray(middle));
    return isWhole && data.length > 0 ? { data, reach: file[0] ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}

/** Where that cannot be done, the next call compiles again. */
function keepCompiled(script: Script, source: Buffer, reach: number): void {
  const data = script.createCachedData();
  writeWholeSync(KEPT, Buffer.concat([Buffer.of(reach), source, data, data]));
}
