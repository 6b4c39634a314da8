// Which logs are measured, and how every program is pointed at the same ones.
import { copyFileSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { tempFolder } from "./measure.mjs";

/** Folders with logs. ccusage searches only folders named `projects`, and follows links only there. */
export class Logs {
  /** `projects` folders, each in its own parent folder. */
  folders = [];
  files = [];
  bytes = 0;

  constructor(paths) {
    for (const path of paths) this.#add(resolve(path));
    for (const folder of this.folders) {
      for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        if (!entry.name.endsWith(".jsonl")) continue;
        const path = join(entry.parentPath, entry.name);
        this.files.push({ path, from: folder, bytes: statSync(path).size });
      }
    }
    this.files.sort((left, right) => (left.path < right.path ? -1 : 1));
    this.bytes = this.files.reduce((sum, file) => sum + file.bytes, 0);
  }

  #add(path) {
    const config = tempFolder();
    const projects = join(config, "projects");
    if (statSync(path).isDirectory()) symlinkSync(path, projects);
    else {
      mkdirSync(join(projects, "single"), { recursive: true });
      copyFileSync(path, join(projects, "single", basename(path)));
    }
    this.folders.push(projects);
  }

  /** CLAUDE_CONFIG_DIR for a program that looks there. */
  get configs() {
    return this.folders.map(dirname).join(",");
  }

  /** A copy of about one in `share` of the files, large and small. */
  part(share) {
    const folder = tempFolder();
    let [passed, taken] = [0, 0];
    for (const { path, from, bytes } of [...this.files].sort((left, right) => right.bytes - left.bytes)) {
      passed += bytes;
      if (taken + bytes > passed / share) continue;
      const target = join(folder, relative(from, path));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(path, target);
      taken += bytes;
    }
    return new Logs([folder]);
  }
}

/** A log with one line of this many megabytes among others. */
export function logWithLine(path, before, megabytes) {
  mkdirSync(dirname(path), { recursive: true });
  const body = `${"0123456789abcdef→ ".repeat(54)}\\n`.repeat(1024).slice(0, 1024 * 1024 - 4096);
  const line = [
    '{"type":"user","uuid":"u-long","timestamp":"2026-01-05T08:00:00.000Z","message":{"role":"user","content":[',
    '{"type":"tool_result","tool_use_id":"toolu_long","content":"',
  ].join("");
  writeFileSync(path, before);
  writeFileSync(path, line, { flag: "a" });
  for (let piece = 0; piece < megabytes; piece++) writeFileSync(path, body, { flag: "a" });
  writeFileSync(path, `"}]}}\n${before}`, { flag: "a" });
}
