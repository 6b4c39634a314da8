import { isAscii } from "node:buffer";
import { accessSync, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { Script } from "node:vm";
import { writeWholeSync } from "./wholeFile.js";

/** The build puts it at the start of programs that are run again and again: their text can be compiled as is. */
const OPENING = "(function(exports,require,module,__filename,__dirname){";

interface Kept {
  readonly data: Buffer;
  /** The parts of the program that had run by then, as bits: the cache contains the functions that ran. */
  readonly parts: number;
}

/**
 * A program that would take longer to compile than to run: V8's code cache is kept next to it, where it is as
 * trustworthy as the program itself.
 */
export class CompiledProgram<Exports> {
  readonly #path: string;
  readonly #keptPath: string;
  readonly #source: Buffer;
  readonly #script: Script;
  /** The parts that V8 need not compile again. */
  readonly #known: number;

  /** `name`, `keptName`: the paths of the program and of its code cache, without their extensions. */
  constructor(name: string, keptName = name) {
    this.#path = `${name}.js`;
    // A code cache is only valid for one version of Node.
    this.#keptPath = `${keptName}.${process.version}.${process.arch}.compiled`;
    this.#source = readWhole(this.#path);
    const kept = this.#kept();
    // Almost all programs are ASCII, which decodes in a tenth of the time.
    const source = this.#source.toString(isAscii(this.#source) ? "latin1" : "utf8");
    const text = source.startsWith(OPENING) ? source : `${OPENING}${source}\n})`;
    this.#script = new Script(text, { filename: this.#path, ...(kept && { cachedData: kept.data }) });
    this.#known = this.#script.cachedDataRejected === false ? (kept?.parts ?? 0) : 0;
  }

  /** `require`: that of a module in the same folder. */
  run(require: NodeJS.Require): Exports {
    const loaded: Record<string, unknown> = {};
    // Every module of the program requires its dependencies, and each call of Node's `require` takes time.
    const requireOnce = (name: string): unknown => {
      loaded[name] ??= require(name);
      return loaded[name];
    };
    const module = { exports: {} as Exports };
    this.#script.runInThisContext()(module.exports, requireOnce, module, this.#path, dirname(this.#path));
    return module.exports;
  }

  /** Writes the code cache if a new part has run (as bits). If this fails, the next run compiles again. */
  keep(parts: number): void {
    if ((parts & ~this.#known) === 0) return;
    accessSync(dirname(this.#path), constants.W_OK);
    const data = this.#script.createCachedData();
    writeWholeSync(this.#keptPath, Buffer.concat([Buffer.of(parts | this.#known), this.#source, data, data]));
  }

  /**
   * V8 only checks the length of the source. So the file contains the source itself, for comparison, and two copies of
   * the data. A file that was damaged, or cut short by a crash, is ignored.
   */
  #kept(): Kept | undefined {
    try {
      const file = readWhole(this.#keptPath);
      const begin = 1 + this.#source.length;
      const middle = begin + (file.length - begin) / 2;
      const data = file.subarray(begin, middle);
      const isWhole = file.subarray(1, begin).equals(this.#source) && data.equals(file.subarray(middle));
      return isWhole && data.length > 0 ? { data, parts: file[0] ?? 0 } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The bytes of a regular file. Node's own `readFileSync` uses more functions, which every process would compile. */
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
