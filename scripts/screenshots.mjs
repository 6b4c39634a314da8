// `npm run screenshots [-- --out FOLDER]`: the README's screenshots, taken of the bundled sample session in a real
// browser. Without --out they replace those in media/readme.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { build } from "./setup.mjs";
import { ensureChromium } from "./system.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--font-render-hinting=none"];
const PICTURES = [
  { name: "panel-dark", colorScheme: "dark", width: 1400, height: 520 },
  { name: "panel-light", colorScheme: "light", width: 1400, height: 520 },
];

const { values } = parseArgs({ options: { out: { type: "string" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(values.out ?? join(root, "media/readme"));
process.chdir(root);
build();
const { path, reason } = ensureChromium();
if (path === undefined) throw new Error(reason);
mkdirSync(out, { recursive: true });
const home = mkdtempSync(join(tmpdir(), "dedup-pictures-"));
const inspector = spawn(process.execPath, ["dist/cli.js", "open", "media/sample.jsonl", "--no-browser", "--no-cache"], {
  env: { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home },
});
const browser = await chromium.launch({ executablePath: path, args: FLAGS });
try {
  const address = await new Promise(resolve => {
    inspector.stdout.on("data", text => resolve(/http\S+/.exec(String(text))[0]));
  });
  for (const { name, colorScheme, width, height } of PICTURES) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 2 });
    await page.goto(address);
    await page.getByText("Could save").waitFor();
    // A hit in the middle of the session, so that its arc, its details and the buttons are visible.
    await page.locator("[role=application]").focus();
    for (const key of ["h", "h", "h"]) await page.keyboard.press(key);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(out, `${name}.png`) });
    console.log(`${name}.png`);
    await page.close();
  }
} finally {
  await browser.close();
  inspector.kill("SIGTERM");
  rmSync(home, { recursive: true, force: true });
}
