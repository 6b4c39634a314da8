import { fstatSync, writeFileSync } from "node:fs";
import { problemOf } from "../files/openFile.js";
import type { ToldProgress } from "../protocol/reportFormats.js";
import { visible } from "../words/text.js";

/** Where a command writes, and what that output can show. */
export interface Terminal {
  readonly colour: boolean;
  /** The available columns; Infinity for a pipe or a file, which does not wrap. */
  readonly width: number;
  out(text: string | Uint8Array): void;
  /** One line about a problem, or something that a user should know, on standard error. */
  say(line: string): void;
  /** Reports the progress of a long run to the parent process. */
  progress?(told: ToldProgress): void;
}

/** One line of output that names files or repeats other foreign text: nothing in it can control the terminal. */
export function printLine(terminal: Terminal, line: string): void {
  terminal.out(`${visible(line)}\n`);
}

/** The process's own standard output. Respects NO_COLOR and FORCE_COLOR. */
export function processTerminal(): Terminal {
  const { env, stdout } = process;
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    colour: forced || (stdout.isTTY === true && !refused),
    width: stdout.isTTY === true ? Math.max(40, stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
    out: isFile(stdout.fd) ? text => writeWhole(stdout.fd, text) : text => void stdout.write(text),
    say: line => void process.stderr.write(`dedup-inspector: ${visible(line)}\n`),
    // Only a parent process with a channel listens.
    progress: told => void process.send?.(told),
  };
}

/** Node's own stream would silently truncate a file if the disk gets full. */
function writeWhole(file: number, text: string | Uint8Array): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Error(outputProblem(error));
  }
}

/** Standard output may be anything, or nothing. */
function isFile(file: number): boolean {
  try {
    return fstatSync(file).isFile();
  } catch {
    return false;
  }
}

export function outputProblem(error: unknown): string {
  return `could not write the output: ${problemOf(error)}`;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const;
export type Tint = keyof typeof CODES;

export function painter(colour: boolean): (tint: Tint, text: string) => string {
  return (tint, text) => (colour && text !== "" ? `\x1b[${CODES[tint]}m${text}\x1b[0m` : text);
}

/** Wraps between words, so that no line is wider than the terminal. */
export function wrapped(text: string, width: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
