/** What users get: only what runs, little of it, and the same bytes whoever packages it. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Entry, entriesOf } from "../../scripts/package/evenZip.mjs";
import { filesUnder, REPOSITORY } from "../support/replay.js";

/** As vsce names them: it has its own names for the texts that the Marketplace shows. */
const EXPECTED = [
  "LICENSE.txt",
  "ThirdPartyNotices.txt",
  "changelog.md",
  "dist/cli.js",
  "dist/cliProgram.js",
  "dist/comparisonWorker.js",
  "dist/compiled.js",
  "dist/engineWorker.js",
  "dist/hook.js",
  "dist/hookProgram.js",
  "dist/host.js",
  "dist/loader.js",
  "dist/programs.js",
  "dist/recallProgram.js",
  "dist/register.js",
  "dist/replayWorker.js",
  "dist/statusProgram.js",
  "dist/webview.css",
  "dist/webview.js",
  "media/dedup-dark.svg",
  "media/dedup-light.svg",
  "media/dedup.svg",
  "media/icon.png",
  "media/sample.jsonl",
  ...filesUnder(join(REPOSITORY, "media", "sample")).map(path => relative(REPOSITORY, path)),
  "media/transcript.tmLanguage.json",
  "media/walkthrough/hint.svg",
  "media/walkthrough/live.svg",
  "media/walkthrough/panel.svg",
  "media/walkthrough/sample.svg",
  "media/walkthrough/tune.svg",
  "package.json",
  "package.nls.json",
  "readme.md",
];

const MAX_BYTES = 700_000;
/** The page: everything that a webview loads. */
const MAX_PAGE_BYTES = 460_000;

const PATIENCE_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), "dedup-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Conditions {
  readonly umask: string;
  readonly mode: number;
  readonly changedAt: Date;
  readonly env: Readonly<Record<string, string>>;
}

/** `npm run package` in a copy of the sources; returns the copy's folder and the package. */
function packaged(name: string, { umask, mode, changedAt, env }: Conditions): { copy: string; vsix: Buffer } {
  const copy = join(folder, name);
  const isSource = (path: string) => !/^\/(\.git|\.[a-z]+-test|node_modules|dist|test|coverage)(\/|$)/.test(path);
  const isWanted = (from: string) => isSource(from.slice(REPOSITORY.length).replace(/^\/?/, "/"));
  cpSync(REPOSITORY, copy, { recursive: true, filter: isWanted });
  for (const path of filesUnder(copy)) {
    chmodSync(path, mode);
    utimesSync(path, changedAt, changedAt);
  }
  symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"));
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", `umask ${umask} && exec "$0" scripts/package.mjs`, process.execPath],
    {
      cwd: copy,
      env: { PATH: process.env["PATH"], HOME: folder, ...env },
      encoding: "utf8",
    },
  );
  expect([status, stderr]).toEqual([0, ""]);
  const [file = ""] = readdirSync(copy).filter(one => one.endsWith(".vsix"));
  return { copy, vsix: readFileSync(join(copy, file)) };
}

describe("the package", () => {
  let copy: string;
  let vsix: Buffer;
  let again: Buffer;

  beforeAll(() => {
    const here = { umask: "022", mode: 0o644, changedAt: new Date("2026-11-16"), env: { TZ: "UTC", LC_ALL: "C" } };
    ({ copy, vsix } = packaged("here", here));
    const env = { TZ: "Pacific/Auckland", LC_ALL: "en_US.UTF-8" };
    again = packaged("elsewhere", { umask: "077", mode: 0o755, changedAt: new Date("2031-05-04"), env }).vsix;
  }, PATIENCE_MS);

  it("contains only what runs or is shown", () => {
    const names = entriesOf(vsix).map(entry => entry.name);
    const files = names.filter(name => name.startsWith("extension/")).map(name => name.slice("extension/".length));
    expect(files.sort()).toEqual(EXPECTED);
  });

  it("is the same to the byte, whenever, wherever and by whomever it is built", () => {
    expect(vsix.length).toBeGreaterThan(100_000);
    expect(again.equals(vsix)).toBe(true);
  });

  it("contains the files unchanged", () => {
    for (const name of ["dist/host.js", "media/icon.png", "ThirdPartyNotices.txt"]) {
      expect(contentOf(vsix, `extension/${name}`).equals(readFileSync(join(copy, name)))).toBe(true);
    }
  });

  it("is small", () => {
    expect(vsix.length).toBeLessThan(MAX_BYTES);
  });

  it("has a page that loads quickly", () => {
    const bytes = ["webview.js", "webview.css"].map(name => statSync(join(copy, "dist", name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_PAGE_BYTES);
  });
});

function contentOf(zip: Buffer, name: string): Buffer {
  const { central, local } = entriesOf(zip).find(entry => entry.name === name) as Entry;
  const start = 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const content = local.subarray(start, start + central.readUInt32LE(20));
  return central.readUInt16LE(10) === 0 ? content : inflateRawSync(content);
}
