import { isAscii } from "node:buffer";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Script } from "node:vm";
import { writeWholeSync } from "./wholeFile.js";

interface Kept {
  readonly data: Buffer;
  /** How much of the program had run before it was made: the functions that ran are in it. */
  readonly reach: number;
}

/**
 * A program that is mostly done before V8 has compiled it: V8's code cache is kept beside it, where it is as trustworthy as
 * the program itself.
 */
export class CompiledProgram<Exports> {
  readonly #path: string;
  readonly #keptPath: string;
  readonly #source: Buffer;
  readonly #script: Script;
  /** How much of the program had run when what is kept was made; 0 if nothing is, or V8 cannot use it. */
  readonly reach: number;

  /** `name`: the program's path without its extension. */
  constructor(name: string) {
    this.#path = `${name}.js`;
    // A code cache is valid for one version of Node only.
    this.#keptPath = `${name}.${process.version}.${process.arch}.compiled`;
    this.#source = readFileSync(this.#path);
    const kept = this.#kept();
    // Almost all programs are, and this takes a tenth of the time.
    const source = this.#source.toString(isAscii(this.#source) ? "latin1" : "utf8");
    const text = `(function(exports,require,module,__filename,__dirname){${source}\n})`;
    this.#script = new Script(text, { filename: this.#path, ...(kept && { cachedData: kept.data }) });
    this.reach = this.#script.cachedDataRejected === false ? (kept?.reach ?? 0) : 0;
  }

  /** `require`: of a module in the same folder. */
  run(require: NodeJS.Require): Exports {
    const loaded: Record<string, unknown> = {};
    // Every module of the program requires what it needs, and each call of Node's `require` takes time.
    const requireOnce = (name: string): unknown => {
      loaded[name] ??= require(name);
      return loaded[name];
    };
    const module = { exports: {} as Exports };
    this.#script.runInThisContext()(module.exports, requireOnce, module, this.#path, dirname(this.#path));
    return module.exports;
  }

  /** Keeps what V8 has made of it up to now. If this fails, the next run compiles again. */
  keep(reach: number): void {
    accessSync(dirname(this.#path), constants.W_OK);
    const data = this.#script.createCachedData();
    writeWholeSync(this.#keptPath, Buffer.concat([Buffer.of(reach), this.#source, data, data]));
  }

  /**
   * V8 checks nothing but the length of the source. So the file has the source itself, to be compared, and two copies of
   * the data. A file that was damaged, or cut short by a crash, is ignored.
   */
  #kept(): Kept | undefined {
    try {
      if (!statSync(this.#keptPath).isFile()) return undefined;
      const file = readFileSync(this.#keptPath);
      const begin = 1 + this.#source.length;
      const middle = begin + (file.length - begin) / 2;
      const data = file.subarray(begin, middle);
      const isWhole = file.subarray(1, begin).equals(this.#source) && data.equals(file.subarray(middle));
      return isWhole && data.length > 0 ? { data, reach: file[0] ?? 0 } : undefined;
    } catch {
      return undefined;
    }
  }
}
