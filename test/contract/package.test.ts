/** What is handed to users: only what runs, and little of it. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

/** As vsce names them: it has its own names for the texts that the Marketplace shows. */
const EXPECTED = [
  "LICENSE.txt",
  "changelog.md",
  "dist/cli.js",
  "dist/engineWorker.js",
  "dist/host.js",
  "dist/replayWorker.js",
  "dist/webview.css",
  "dist/webview.js",
  "media/dedup-dark.svg",
  "media/dedup-light.svg",
  "media/dedup.svg",
  "media/icon.png",
  "media/sample.jsonl",
  "media/transcript.tmLanguage.json",
  "media/walkthrough/hint.svg",
  "media/walkthrough/panel.svg",
  "media/walkthrough/sample.svg",
  "media/walkthrough/tune.svg",
  "package.json",
  "package.nls.json",
  "readme.md",
];

const MOST_BYTES = 1_500_000;
/** The page: everything that a webview loads. */
const MOST_PAGE_BYTES = 450_000;

/** vsce looks at every file of the folder, the VS Code that tests run in among them: many seconds on a busy machine. */
const PATIENCE_MS = 180_000;

describe("the package", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedup-package-"));
  const packagePath = join(folder, "package.vsix");

  beforeAll(async () => {
    await built();
    const options = { dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false };
    await createVSIX({ cwd: REPOSITORY, packagePath, ...options });
  }, PATIENCE_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("holds only what runs or is shown", () => {
    const files = filesOfZip(readFileSync(packagePath)).filter(name => name.startsWith("extension/"));
    expect(files.map(name => name.slice("extension/".length)).sort()).toEqual(EXPECTED);
  });

  it("is small", () => {
    expect(statSync(packagePath).size).toBeLessThan(MOST_BYTES);
  });

  it("brings a page that loads quickly", () => {
    const bytes = ["webview.js", "webview.css"].map(name => statSync(join(REPOSITORY, "dist", name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_PAGE_BYTES);
  });
});

/** The names in a zip file's central directory, which its last record points at. */
function filesOfZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map(field => zip.readUInt16LE(at + field)) as [number, number, number];
    names.push(zip.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}
