/** Whose code is in the package and what an install may do: few packages, all named and pinned, none runs code. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundledPackages, notices } from "../../scripts/package/notices.mjs";
import { built } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly scripts?: Versions;
  readonly dependencies?: Versions;
  readonly devDependencies: Versions;
  readonly overrides: Versions;
}

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const read = (...path: string[]) => readFileSync(join(REPOSITORY, ...path), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;
const locked = Object.entries((JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> }).packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ""), ...entry }));

/** All third-party packages that users get. A new name here is a decision. */
const BUNDLED = [
  // What the toolkit's controls are based on.
  "@microsoft/fast-element",
  "@microsoft/fast-foundation",
  "@microsoft/fast-web-utilities",
  "@preact/signals",
  "@preact/signals-core",
  "@vscode/webview-ui-toolkit",
  "chokidar",
  "diff",
  "exenv-es6",
  "hyparquet",
  "hyparquet-writer",
  "jsonc-parser",
  "preact",
  "readdirp",
  "tslib",
  "uplot",
];

describe("what users get", () => {
  beforeAll(built);

  it("contains these packages' code and no other", () => {
    expect([...bundledPackages().keys()]).toEqual(BUNDLED);
  });

  it("contains the locked versions", () => {
    for (const [name, folder] of bundledPackages()) {
      const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      // Other tools may have their own older copies.
      expect(locked.filter(one => one.name === name).map(one => one.version)).toContain(version);
    }
  });

  it("may be redistributed: each licence only requires attribution", () => {
    for (const folder of bundledPackages().values()) {
      const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      expect(["0BSD", "BSD-3-Clause", "MIT"]).toContain(license);
    }
  });

  it("is ours alone in the hook, which is loaded for every tool call, and in the mod", () => {
    const { outputs } = JSON.parse(read("dist", "build.json")) as {
      outputs: Record<string, { inputs: Record<string, unknown> }>;
    };
    const names = ["dist/hook.js", "dist/hookProgram.js", "dist/statusProgram.js"];
    for (const name of [...names, "dist/register.js", "plugin/dist/register.js"]) {
      const inputs = Object.keys(outputs[name]?.inputs ?? {});
      expect(inputs.length).toBeGreaterThan(0);
      expect(inputs.filter(path => path.includes("node_modules"))).toEqual([]);
    }
  });

  it("includes their current licences: npm run notices", () => {
    expect(read("ThirdPartyNotices.txt")).toBe(notices());
    for (const name of BUNDLED) expect(read("ThirdPartyNotices.txt")).toContain(`\n\n${name} `);
  });
});

describe("an install", () => {
  it("has nothing to fetch for users: everything is bundled", () => {
    expect(manifest.dependencies).toBeUndefined();
  });

  it("uses exact versions", () => {
    for (const version of Object.values({ ...manifest.devDependencies, ...manifest.overrides })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  });

  it("uses the exact bytes that are locked", () => {
    expect(locked.length).toBeGreaterThan(Object.keys(manifest.devDependencies).length);
    for (const { name, version, integrity } of locked) {
      expect([name, version, integrity]).toEqual([
        name,
        expect.stringMatching(/^\d+\.\d+\.\d+/),
        expect.stringMatching(/^sha512-/),
      ]);
    }
  });

  it("runs no scripts, not even ours", () => {
    expect(read(".npmrc").split("\n")).toContain("ignore-scripts=true");
    const own = ["preinstall", "install", "postinstall", "prepare", "vscode:uninstall"];
    for (const name of own) expect(manifest.scripts).not.toHaveProperty(name);
    const bundled = locked.filter(({ name, hasInstallScript }) => hasInstallScript && BUNDLED.includes(name));
    expect(bundled).toEqual([]);
  });
});

describe("the workflows", () => {
  const folder = join(REPOSITORY, ".github", "workflows");
  const workflows = readdirSync(folder).map(name => [name, readFileSync(join(folder, name), "utf8")] as const);

  it.each(workflows)("may read and no more, and name what they run: %s", (_, text) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
    expect(text).not.toMatch(/contents: write|packages: write|write-all/);
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
    for (const [, fetched] of text.matchAll(/npx --yes (\S+)/g)) expect(fetched).toMatch(/@\d+\.\d+\.\d+$/);
  });

  it.each(workflows)(
    "have no permission to push, and never put text of an issue or a branch into a command: %s",
    (_, text) => {
      const checkouts = text.match(/actions\/checkout@/g)?.length ?? 0;
      expect(text.match(/persist-credentials: false/g)?.length ?? 0).toBe(checkouts);
      expect(text).not.toMatch(/pull_request_target|run:.*\$\{\{/);
    },
  );

  it.each(workflows)("install what only root may install before they run all tests: %s", (_, text) => {
    const jobs = text.split(/^ {2}[\w-]+:$/m).filter(job => /- run: npm test$/m.test(job));
    expect(jobs).toHaveLength(1);
    for (const job of jobs) expect(job).toMatch(/apt-get install --yes tmux\n[\s\S]*- run: npm test$/m);
  });
});
