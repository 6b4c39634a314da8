/** The npm package as users get it: built by `npm pack`, run by `npx` in an empty folder, on every supported Node. */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built, Place, type Run } from "../support/cli.js";
import { ensureNode } from "../support/nodes.mjs";
import { filesUnder, REPOSITORY } from "../support/replay.js";

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

/** Everything that runs, in the order of npm's list. */
const EXPECTED = [
  ".claude-plugin/marketplace.json",
  "LICENSE",
  "README.md",
  "ThirdPartyNotices.txt",
  "dist/cli.js",
  "dist/cliProgram.js",
  "dist/comparisonWorker.js",
  "dist/compiled.js",
  "dist/engineWorker.js",
  "dist/hook.js",
  "dist/hookProgram.js",
  "dist/library.d.mts",
  "dist/library.mjs",
  "dist/loader.js",
  "dist/parquetFile.js",
  "dist/programs.js",
  "dist/recallProgram.js",
  "dist/register.js",
  "dist/replayWorker.js",
  "dist/statusProgram.js",
  "dist/webview.css",
  "dist/webview.js",
  "media/sample.jsonl",
  ...filesUnder(join(REPOSITORY, "media", "sample")).map(path => relative(REPOSITORY, path)),
  "package.json",
  "plugin/.claude-plugin/icon.png",
  "plugin/.claude-plugin/plugin.json",
  "plugin/dist/register.js",
  "plugin/hooks/hooks.json",
  "plugin/README.md",
];
const MAX_BYTES = 900_000;

/** The newest of each. */
const NODES = ["20.20.2", "22.23.3", "24.21.0"];

const place = new Place();
const windows = process.platform === "win32";
const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as Manifest;
let packed: Packed;
let tarball: string;

/** Nothing from this machine, and no registry. */
const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"] ?? "",
  ...(windows && { SystemRoot: process.env["SystemRoot"] ?? "", USERPROFILE: place.path("home") }),
  HOME: place.path("home"),
  npm_config_cache: place.path("npm"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
});

/** Runs a program to its end, without blocking this process: npm takes seconds on a busy machine. */
async function run(command: string, args: readonly string[], options: SpawnOptions, input = ""): Promise<Run> {
  const child = spawn(command, args, { ...options, stdio: "pipe" });
  const [stdout, stderr] = [child.stdout, child.stderr].map(stream => printedBy(stream, () => false));
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { status, stdout: (await stdout) ?? "", stderr: (await stderr) ?? "" };
}

/** A stream's output until it ends, or until it is enough; the rest is drained, so that the writer is not blocked. */
function printedBy(stream: Readable, isEnough: (text: string) => boolean): Promise<string> {
  let text = "";
  return new Promise(resolve => {
    stream.on("data", piece => {
      text += String(piece);
      if (isEnough(text)) resolve(text);
    });
    stream.on("close", () => resolve(text));
  });
}

beforeAll(async () => {
  await built();
  mkdirSync(place.path("home"));
  mkdirSync(place.path("empty"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", place.folder];
  const { stdout } = await run(windows ? "npm.cmd" : "npm", args, { cwd: REPOSITORY, env: env(), shell: windows });
  [packed] = JSON.parse(stdout);
  tarball = place.path(packed.filename);
});
afterAll(() => place.remove());

let installing: Promise<string> | undefined;
/** A project that depends on the package. The same for all Nodes: what npm installs does not depend on them. */
function installed(): Promise<string> {
  installing ??= (async () => {
    const project = place.path("project");
    mkdirSync(project);
    const args = ["install", "--no-audit", "--no-fund", tarball];
    const { status, stderr } = await run(windows ? "npm.cmd" : "npm", args, {
      cwd: project,
      env: env(),
      shell: windows,
    });
    expect([status, stderr]).toEqual([0, ""]);
    return project;
  })();
  return installing;
}

describe("npm pack", () => {
  it("includes what runs and nothing else", () => {
    expect(packed.files.map(({ path }) => path)).toEqual(EXPECTED);
  });

  it("is small", () => {
    expect([packed.size, statSync(tarball).size]).toEqual([expect.any(Number), packed.size]);
    expect(packed.size).toBeLessThan(MAX_BYTES);
  });

  it("leaves out the extension, which npm would include if the manifest had its full file name", () => {
    expect(existsSync(join(REPOSITORY, `${manifest.main}.js`))).toBe(true);
    expect(existsSync(join(REPOSITORY, manifest.main))).toBe(false);
  });

  it("has everything that the manifest exports", () => {
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
  const npx = windows ? "npx.cmd" : "npx";
  const words = (...args: string[]) => ["--yes", `--package=${tarball}`, "--", "dedup-inspector", ...args];
  const options = (): SpawnOptions => ({ cwd: place.path("empty"), env: settings(), shell: windows });
  /** Several command lines in one shell: npx itself takes longer than what it runs. */
  const runInNpx = (...lines: string[]) =>
    run(npx, ["--yes", `--package=${tarball}`, "-c", quoted(lines.join(" && "))], options());
  const quoted = (text: string) => (windows ? `"${text}"` : text);

  /** A test that needs this Node. */
  const promise = (name: string, keep: () => Promise<void>) =>
    it(name, async ({ skip }) => {
      if (path === undefined) skip();
      await keep();
    });

  promise("runs the commands", async () => {
    const sample = join(home, "sample.jsonl");
    const { status, stdout, stderr } = await runInNpx(
      "dedup-inspector --version",
      `dedup-inspector sample --out ${sample}`,
      `dedup-inspector report ${sample} --json`,
    );
    expect([status, stderr]).toEqual([0, ""]);
    const [first, ...report] = stdout.split("\n");
    expect(first).toBe(manifest.version);
    expect((JSON.parse(report.join("\n")) as { sessions: unknown[] }).sessions).toHaveLength(1);
  });

  promise("opens the inspector without a command", async () => {
    // Without its own process group, npx would be killed but not what it started.
    const child = spawn(npx, words("--no-browser"), { ...options(), detached: !windows, stdio: "pipe" });
    const closed = new Promise(resolve => child.once("close", resolve));
    try {
      const printed = await printedBy(child.stdout, text => text.includes("\n"));
      const page = await fetch(/http:\/\/\S+/.exec(printed)?.[0] ?? `no address in ${printed}`);
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

  promise("is a library where it is installed", async () => {
    const where = { cwd: await installed(), env: settings(), shell: windows };
    const program = `
      import { fingerprint, LogReader, renderHint } from "dedup-inspector";
      import { createRequire } from "node:module";
      const { version } = createRequire(import.meta.url)("dedup-inspector/package.json");
      console.log(JSON.stringify([version, typeof fingerprint, typeof LogReader, typeof renderHint]));`;
    writeFileSync(join(where.cwd, "use.mjs"), program);
    const used = await run("node", ["use.mjs"], where);
    expect(used).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(used.stdout)).toEqual([manifest.version, "function", "function", "function"]);
  });

  promise("sets up live hints and a status line that stay when npx's folder is gone", async () => {
    const installs = ["hooks", "statusline"].map(command => `dedup-inspector ${command} install --yes`);
    expect((await runInNpx(...installs)).status).toBe(0);
    rmSync(place.path("npm", "_npx"), { recursive: true });
    const { hooks, statusLine, extraKnownMarketplaces } = JSON.parse(
      readFileSync(join(config, "settings.json"), "utf8"),
    );
    const send = (command: string, event: unknown) =>
      run(command, [], { shell: true, cwd: home, env: settings() }, JSON.stringify(event));
    const session = { transcript_path: join(home, "sample.jsonl") };
    const hook = await send(hooks.SessionStart[0].hooks[0].command, { ...session, hook_event_name: "SessionStart" });
    expect([hook.status, hook.stderr]).toEqual([0, ""]);
    expect(JSON.parse(hook.stdout).hookSpecificOutput.additionalContext).toContain("[ref: ID]");
    const mod = join(extraKnownMarketplaces["dedup-inspector"].source.path, "plugin", "hooks", "register.js");
    expect(readFileSync(mod)).toEqual(readFileSync(join(REPOSITORY, "dist", "register.js")));
    const line = await send(statusLine.command, { ...session, context_window: { used_percentage: 62 } });
    expect(line).toMatchObject({ status: 0, stdout: expect.stringMatching(/^62 % · \d+ % repeats\n$/), stderr: "" });
  });
});
