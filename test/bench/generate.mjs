// Writes a history of any size, the same for the same seed: many projects, sessions and subagents, without copies.
//   node test/bench/generate.mjs FOLDER 2G
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Session } from "./history/session.mjs";
import { Chance } from "./history/text.mjs";

const PIECE_BYTES = 1 << 20;
const FIRST_DAY = Date.UTC(2026, 0, 5, 8);

/** "2G", "400M", "64K" or a number, in bytes. */
export function bytesOf(size) {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([KMG]?)B?$/i.exec(size) ?? [];
  if (number === undefined) throw new Error(`a size such as 400M or 2G is needed, not "${size}"`);
  return Math.round(Number(number) * 1024 ** ["", "K", "M", "G"].indexOf(unit.toUpperCase()));
}

/** Writes one session's log of at least this many bytes; returns its size. */
export function writeSession(path, bytes, chance, about) {
  mkdirSync(dirname(path), { recursive: true });
  const session = new Session(chance, about);
  const file = openSync(path, "w");
  let [written, waiting] = [0, ""];
  while (written + waiting.length < bytes) {
    waiting += `${session.turn().join("\n")}\n`;
    if (waiting.length < PIECE_BYTES && written + waiting.length < bytes) continue;
    const piece = Buffer.from(waiting);
    writeSync(file, piece);
    written += piece.length;
    waiting = "";
  }
  closeSync(file);
  return written;
}

/** Fills a folder, laid out like Claude Code's `projects`; returns the number of files and bytes. */
export function generateHistory(folder, bytes, seed = 1) {
  const chance = new Chance(seed);
  const written = { files: 0, bytes: 0 };
  for (let project = 0; written.bytes < bytes; project++) {
    const cwd = `/home/ana/work/project-${project}`;
    const place = join(folder, cwd.replaceAll("/", "-"));
    for (let sessions = 3 + chance.below(12); sessions > 0 && written.bytes < bytes; sessions--) {
      const about = { sessionId: chance.uuid(), cwd, startedAt: FIRST_DAY + chance.below(300 * 86_400_000) };
      const add = (path, size, more) => {
        written.bytes += writeSession(path, Math.min(size, bytes - written.bytes), chance, { ...about, ...more });
        written.files++;
      };
      add(join(place, `${about.sessionId}.jsonl`), chance.size(700_000, 1.2, 60e6));
      for (let agents = chance.below(4); agents > 0 && written.bytes < bytes; agents--) {
        const agent = chance.hex();
        const path = join(place, about.sessionId, "subagents", `agent-${agent}.jsonl`);
        add(path, chance.size(150_000, 1, 5e6), { agent });
      }
    }
  }
  return written;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, size] = process.argv.slice(2);
  if (folder === undefined || size === undefined) {
    console.error("usage: node test/bench/generate.mjs FOLDER SIZE");
    process.exit(2);
  }
  const { files, bytes } = generateHistory(folder, bytesOf(size));
  console.log(`${files} logs, ${(bytes / 1024 ** 2).toFixed(0)} MB`);
}
