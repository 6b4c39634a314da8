// `npm run screenshots [-- --out FOLDER]`: the README's pictures of the bundled sample session, shown as one of the
// user's own: the panel in a real VS Code at its default size, and the page in a browser. Without --out they replace
// those in media/readme.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { Workbench } from "../test/vscode/journeys/workbench.mjs";
import { openBrowser, themes } from "../test/vscode/rig/page.mjs";
import { packageExtension } from "./package/vsix.mjs";
import { Project } from "./sample/project.mjs";
import { build } from "./setup.mjs";

/** With this window the panel's page has about 1020 × 270 pixels, which is what VS Code gives a new user. */
const WINDOW = { width: 1343, height: 900 };
const PAGE = { width: 1280, height: 800 };
/** A file of which some lines were read before. */
const SHOWN = /server\.test\.ts\s*24/;

const { values } = parseArgs({ options: { out: { type: "string" } } });
const repository = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(values.out ?? join(repository, "media/readme"));
process.chdir(repository);
build();
mkdirSync(out, { recursive: true });
const root = mkdtempSync(join(tmpdir(), "dedup-pictures-"));
try {
  const vsix = await packageExtension(root);
  for (const theme of ["dark", "light"]) {
    const place = join(root, theme);
    const projects = join(place, "home", ".claude", "projects");
    writeProject(join(place, "ladle"));
    writeSession(join(projects, "-home-ana-ladle"));
    await inVsCode(place, vsix, theme);
    await inBrowser(projects, theme);
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

/** The files that the session is about. */
function writeProject(folder) {
  for (const [path, text] of new Project().files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function writeSession(folder) {
  const name = join(folder, "0a23409a-8eea-4b7a-af35-1e1738ea1208");
  cpSync("media/sample.jsonl", `${name}.jsonl`);
  cpSync("media/sample", name, { recursive: true });
  // It has ended: a log written just now would be live.
  const hourAgo = Date.now() / 1000 - 3600;
  for (const path of [`${name}.jsonl`, ...readdirSync(name, { recursive: true }).map(file => join(name, file))])
    utimesSync(path, hourAgo, hourAgo);
}

async function inVsCode(place, vsix, theme) {
  const settings = { "workbench.colorTheme": themes[theme] };
  const workbench = await Workbench.open({ vsix, root: place, project: "ladle", settings, viewport: WINDOW });
  try {
    await openFile(workbench.page, "scale.ts");
    const panel = await workbench.openPanel();
    await select(panel);
    await workbench.page.mouse.move(700, 200);
    await keep(workbench.page, `panel-${theme}`);
  } finally {
    await workbench.close();
  }
}

/** With Quick Open, as a user would. */
async function openFile(page, name) {
  await page.keyboard.press("Control+p");
  await page.locator(".quick-input-widget input[type=text]").fill(name);
  await page.locator(".quick-input-widget .monaco-list-row", { hasText: name }).first().click();
  await page.locator(".editor-instance .view-line").first().waitFor();
}

async function inBrowser(projects, theme) {
  const env = { PATH: process.env.PATH, HOME: root, CLAUDE_CONFIG_DIR: dirname(projects) };
  const args = ["dist/cli.js", "open", projects, "--no-browser", "--no-cache"];
  const inspector = spawn(process.execPath, args, { env });
  const browser = await openBrowser();
  try {
    const address = await new Promise(found => {
      inspector.stdout.on("data", text => found(/http\S+/.exec(String(text))[0]));
    });
    const page = await browser.newPage({ viewport: PAGE, colorScheme: theme, locale: "en-US" });
    await page.goto(address);
    await select(page);
    await keep(page, `browser-${theme}`);
  } finally {
    await browser.close();
    inspector.kill("SIGTERM");
  }
}

/** Selects the result to be shown, wherever it is in the list. @param {import("playwright-core").Page | import("playwright-core").FrameLocator} page */
async function select(page) {
  await page.locator(".figure-saved").waitFor({ timeout: 120_000 });
  const timeline = page.locator("[role=application]");
  const selected = page.locator(".event-row.selected", { hasText: SHOWN });
  await timeline.focus();
  for (let presses = 0; presses < 60 && !(await selected.isVisible()); presses++) await timeline.press("h");
  await selected.waitFor();
}

/** @param {import("playwright-core").Page} page @param {string} name */
async function keep(page, name) {
  await page.waitForTimeout(600);
  const picture = await page.screenshot();
  writeFileSync(join(out, `${name}.png`), smaller(picture));
  console.log(`${name}.png`);
}

/** The same picture, compressed as far as the format allows: browsers compress for speed. @param {Buffer} png */
function smaller(png) {
  const signature = png.subarray(0, 8);
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const header = chunks.filter(({ type }) => type === "IHDR");
  const packed = [...header, { type: "IDAT", data: deflateSync(pixels, { level: 9, memLevel: 9 }) }];
  return Buffer.concat([signature, ...[...packed, { type: "IEND", data: Buffer.alloc(0) }].map(chunkOf)]);
}

function chunkOf({ type, data }) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
