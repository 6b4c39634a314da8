// The simplest way to follow logs: a bare fs.watch on each folder, and reading what was added. It prints the ids it finds.
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync, watch } from "node:fs";
import { join } from "node:path";

const [root] = process.argv.slice(2);
const read = new Map();

function look(path) {
  const file = openSync(path, "r");
  const [start, end] = [read.get(path) ?? 0, fstatSync(file).size];
  const bytes = Buffer.alloc(end - start);
  readSync(file, bytes, 0, bytes.length, start);
  closeSync(file);
  read.set(path, end);
  for (const [, id] of bytes.toString().matchAll(/"tool_use_id":"([^"]+)"/g))
    process.stdout.write(`${JSON.stringify({ id })}\n`);
}

for (const name of readdirSync(root)) {
  const folder = join(root, name);
  for (const log of readdirSync(folder)) read.set(join(folder, log), statSync(join(folder, log)).size);
  watch(folder, (_, log) => log?.endsWith(".jsonl") && look(join(folder, log)));
}
process.stdout.write("ready\n");
