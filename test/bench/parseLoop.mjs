// The obvious loop: read every log as text, split it into lines, parse each. With --bytes, lines are cut from the bytes
// and decoded one by one, which is the fastest straightforward way.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** V8's strings are limited to 512 MB, so larger logs are read in pieces that end with a line. */
const PIECE_BYTES = 256 * 1024 * 1024;
const [first, ...more] = process.argv.slice(2);
const byBytes = first === "--bytes";
let [lines, bad] = [0, 0];

function parse(text) {
  if (text === "") return;
  try {
    JSON.parse(text);
    lines++;
  } catch {
    bad++;
  }
}

function parseAll(bytes) {
  if (!byBytes) return bytes.toString("utf8").split("\n").forEach(parse);
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    parse(bytes.toString("utf8", start, end));
    start = end + 1;
  }
}

function read(path) {
  const file = openSync(path, "r");
  const { size } = fstatSync(file);
  for (let at = 0; at < size; ) {
    const bytes = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    readSync(file, bytes, 0, bytes.length, at);
    const end = at + bytes.length === size ? bytes.length : bytes.lastIndexOf(0x0a) + 1;
    parseAll(bytes.subarray(0, end));
    at += end;
  }
  closeSync(file);
}

for (const folder of byBytes ? more : [first, ...more]) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.name.endsWith(".jsonl")) read(join(entry.parentPath, entry.name));
  }
}
console.log(`${lines} lines, ${bad} bad`);
