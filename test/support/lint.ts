import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { REPOSITORY } from "./replay.js";

const BIOME = join(REPOSITORY, "node_modules", "@biomejs", "biome", "bin", "biome");
/** Our own rules. */
const RULES = readdirSync(join(REPOSITORY, "scripts")).flatMap(name =>
  name.endsWith(".grit") ? `scripts/${name}` : [],
);

/** What `npm run lint` would report for such files: `path: message`, sorted. */
export function lintObjections(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "dedup-lint-"));
  try {
    for (const name of ["biome.json", ...RULES]) cpSync(join(REPOSITORY, name), join(folder, name));
    for (const [path, code] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    const args = [BIOME, "lint", "--reporter=json", "--vcs-enabled=false", "."];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string; location: { path: string } }[] };
    return diagnostics.map(({ message, location }) => `${location.path}: ${message}`).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
