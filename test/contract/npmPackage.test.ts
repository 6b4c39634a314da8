/** The npm package as users get it: made by `npm pack`, run by `npx` in an empty folder, on every Node that is supported. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { ensureNode } from "../support/nodes.mjs";
import { REPOSITORY } from "../support/replay.js";

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Everything that runs, in the order of npm's list. `dist/library` is the library, once there is one. */
const EXPECTED = [
  "LICENSE",
  "README.md",
  "ThirdPartyNotices.txt",
  "dist/cli.js",
  "dist/cliProgram.js",
  "dist/comparisonWorker.js",
  "dist/engineWorker.js",
  "dist/hook.js",
  "dist/hookProgram.js",
  "dist/loader.js",
  "dist/replayWorker.js",
  "dist/statusProgram.js",
  "dist/webview.css",
  "dist/webview.js",
  "media/sample.jsonl",
  "package.json",
];
const MAX_BYTES = 1_500_000;

/** The newest of each. */
const NODES = ["20.20.2", "22.23.3", "24.21.0"];

const place = new Place();
const windows = process.platform === "win32";
const npm = windows ? "npm.cmd" : "npm";
const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as Manifest;
let packed: Packed;
let tarball: string;

/** Nothing of this machine's, and no registry. */
const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"] ?? "",
  ...(windows && { SystemRoot: process.env["SystemRoot"] ?? "", USERPROFILE: place.path("home") }),
  HOME: place.path("home"),
  npm_config_cache: place.path("npm"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

function runNpm(cwd: string, ...args: string[]): string {
  return execFileSync(npm, args, {
    cwd,
    env: env(),
    encoding: "utf8",
    shell: windows,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

beforeAll(async () => {
  await built();
  mkdirSync(place.path("home"));
  mkdirSync(place.path("empty"));
  [packed] = JSON.parse(runNpm(REPOSITORY, "pack", "--json", "--ignore-scripts", "--pack-destination", place.folder));
  tarball = place.path(packed.filename);
});
afterAll(() => place.remove());

describe("npm pack", () => {
  it("takes what runs and no more", () => {
    expect(packed.files.map(({ path }) => path).filter(path => !path.startsWith("dist/library."))).toEqual(EXPECTED);
  });

  it("is small", () => {
    expect([packed.size, statSync(tarball).size]).toEqual([expect.any(Number), packed.size]);
    expect(packed.size).toBeLessThan(MAX_BYTES);
  });

  it("leaves out the extension, which npm would take if the manifest named its whole file name", () => {
    expect(existsSync(join(REPOSITORY, `${manifest.main}.js`))).toBe(true);
    expect(existsSync(join(REPOSITORY, manifest.main))).toBe(false);
  });

  it("has everything that the manifest hands out", () => {
    const exported = Object.values(manifest.exports).flatMap(target =>
      typeof target === "string" ? target : Object.values(target),
    );
    const files = packed.files.map(({ path }) => path);
    for (const path of [...Object.values(manifest.bin), ...exported]) expect(files).toContain(path.replace("./", ""));
  });
});

describe.each(NODES)("npx on Node %s", version => {
  const home = place.path("home", version);
  const config = join(home, ".claude");
  let path: string | undefined;

  beforeAll(async () => {
    mkdirSync(config, { recursive: true });
    try {
      path = `${dirname(await ensureNode(version))}${delimiter}${env()["PATH"]}`;
    } catch (error) {
      // CI must have every component.
      if (process.env["CI"] === "true") throw error;
      console.log(`skipped: the npm package on Node ${version} (${(error as Error).message})`);
    }
  });

  const settings = () => ({ ...env(), PATH: path, HOME: home, USERPROFILE: home });
  const npx = (...args: string[]): readonly [string, string[], SpawnOptions] => [
    windows ? "npx.cmd" : "npx",
    ["--yes", `--package=${tarball}`, "--", "dedup-inspector", ...args],
    { cwd: place.path("empty"), env: settings(), shell: windows },
  ];

  /** A promise that needs this Node. */
  const promise = (name: string, keep: () => unknown) =>
    it(name, async ({ skip }) => {
      if (path === undefined) skip();
      await keep();
    });

  promise("runs the commands", () => {
    const run = (...args: string[]) => {
      const [command, words, options] = npx(...args);
      return spawnSync(command, words, { ...options, encoding: "utf8" });
    };
    expect(run("--version")).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
    const sample = join(home, "sample.jsonl");
    expect(run("sample", "--out", sample)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const report = run("report", sample, "--json");
    expect([report.status, report.stderr]).toEqual([0, ""]);
    expect((JSON.parse(report.stdout) as { sessions: unknown[] }).sessions).toHaveLength(1);
  });

  promise("opens the inspector without a command", async () => {
    const [command, words, options] = npx("--no-browser");
    // Without a group of its own, npx would be ended but not what it started.
    const child = spawn(command, words, { ...options, detached: !windows, stdio: ["ignore", "pipe", "inherit"] });
    const closed = new Promise(resolve => child.once("close", resolve));
    try {
      const page = await fetch(await addressIn(child));
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining("<title>Dedup Inspector</title>"),
      ]);
    } finally {
      if (windows) spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
      else process.kill(-(child.pid ?? 0), "SIGTERM");
      await closed;
    }
  });

  promise("sets up live hints and a status line that stay when npx's folder is gone", () => {
    for (const command of ["hooks", "statusline"]) {
      const [program, words, options] = npx(command, "install", "--yes");
      expect(spawnSync(program, words, options).status).toBe(0);
    }
    rmSync(place.path("npm", "_npx"), { recursive: true });
    const { hooks, statusLine } = JSON.parse(readFileSync(join(config, "settings.json"), "utf8"));
    const run = (command: string, event: unknown) =>
      spawnSync(command, { shell: true, cwd: home, env: settings(), input: JSON.stringify(event), encoding: "utf8" });
    const session = { transcript_path: join(home, "sample.jsonl") };
    const hook = run(hooks.SessionStart[0].hooks[0].command, { ...session, hook_event_name: "SessionStart" });
    expect([hook.status, hook.stderr]).toEqual([0, ""]);
    expect(JSON.parse(hook.stdout).hookSpecificOutput.additionalContext).toContain("byte-identical");
    const line = run(statusLine.command, { ...session, context_window: { used_percentage: 62 } });
    expect(line).toMatchObject({ status: 0, stdout: expect.stringMatching(/^62 % · \d+ % repeats\n$/), stderr: "" });
  });
});

/** The address in the first line that a program prints. */
async function addressIn({ stdout }: ChildProcess): Promise<string> {
  let printed = "";
  for await (const piece of stdout ?? []) {
    printed += String(piece);
    if (printed.includes("\n")) break;
  }
  return /http:\/\/\S+/.exec(printed)?.[0] ?? `no address in ${printed}`;
}
