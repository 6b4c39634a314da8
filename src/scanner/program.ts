import { brotliDecompressSync } from "node:zlib";
import { bytesOfBase64 } from "../log/bytes.js";
import { PROGRAM } from "./compiled.js";

/** The part used here: TypeScript declares WebAssembly only together with the DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** The program's imports, by the sources that declare them. */
export interface ProgramImports {
  /** src/kernel/assembly/wrapper.ts */
  readonly wrapper: {
    isStale(tool: number, other: number): number;
    hasText(context: number, fingerprint: number): number;
    nearHint(context: number, old: number, fresh: number): number;
  };
  /** src/kernel/assembly/reader/host.ts */
  readonly host: ReaderHost;
}

/** What the reader of facts leaves to the original functions: with addresses in its memory and numbers of strings. */
export interface ReaderHost {
  fingerprint(start: number, end: number): number;
  takeText(start: number, end: number, fingerprint: number, context: number, uuid: number): void;
  pathOf(start: number, end: number, cwdStart: number, cwdEnd: number): number;
  targetOf(
    pathStart: number,
    pathEnd: number,
    subjectStart: number,
    subjectEnd: number,
    cwdStart: number,
    cwdEnd: number,
  ): number;
  cutLong(start: number, end: number): number;
  isListing(tool: number, start: number, end: number): number;
  hookedPart(tool: number, start: number, end: number, responseStart: number, responseEnd: number): number;
}

/** For a program that is not used for reading facts. */
export const NO_HOST: ReaderHost = {
  fingerprint: nobody,
  takeText: nobody,
  pathOf: nobody,
  targetOf: nobody,
  cutLong: nobody,
  isListing: nobody,
  hookedPart: nobody,
};

/** For a program that is only used as a scanner. */
export const NO_IMPORTS: ProgramImports = {
  wrapper: { isStale: nobody, hasText: nobody, nearHint: nobody },
  host: NO_HOST,
};

function nobody(): number {
  throw new Error("nobody asks for that here");
}

let compiled: object | undefined;

/**
 * Starts another instance of the program in WebAssembly (scanner, reader of facts and replay kernel), with its own
 * memory, and returns its exports. Fails if there is no WebAssembly, or no memory.
 */
export function startProgram(imports: ProgramImports): unknown {
  compiled ??= moduleOf(PROGRAM);
  return startModule(compiled, { ...imports });
}

/** Compiles a program packed by scripts/scanner.mjs. */
export function moduleOf(packed: string): object {
  return new WebAssembly.Module(brotliDecompressSync(bytesOfBase64(packed)));
}

/** Returns its exports. */
export function startModule(module: object, imports: object): unknown {
  return new WebAssembly.Instance(module, imports).exports;
}
