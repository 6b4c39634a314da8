// A workbench in real Chromium, as a user sees it: for journeys and for the suites' runner.
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium as playwright } from "playwright-core";
import { ensureChromium } from "../../../scripts/system.mjs";

export { installVsix } from "./install.mjs";
export { themes, writeSettings } from "./settings.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** No GPU and no sandbox in a container, and nothing that accesses the network on its own. */
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
flags.push("--disable-background-networking", "--disable-component-update", "--disable-sync");

/** A headless Chromium whose own files are in a temporary folder. Throws if none is available. */
export async function openBrowser() {
  const { path, reason } = ensureChromium();
  if (!path) throw new Error(reason);
  const home = mkdtempSync(join(tmpdir(), "vscode-chromium-"));
  const removeHome = () => {
    process.off("exit", removeHome);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", removeHome);
  try {
    const env = { PATH: process.env.PATH, HOME: home };
    const browser = await playwright.launch({ executablePath: path, args: flags, env });
    browser.once("disconnected", removeHome);
    return browser;
  } catch (error) {
    removeHome();
    throw error;
  }
}

/**
 * Opens a folder in the workbench and waits until it is drawn. Close the browser when done.
 * @param {object} options
 * @param {string} options.url of a started server
 * @param {string} [options.folder] absolute path; an empty window if omitted
 * @param {[string, string][]} [options.payload] what a desktop VS Code would get on its command line
 * @param {Record<string, (...args: unknown[]) => unknown>} [options.functions] on the page's window before it loads
 * @param {{ width: number, height: number }} [options.viewport]
 */
export async function launch({ url, folder, payload = [], functions = {}, viewport = { width: 1280, height: 800 } }) {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport, locale: "en-US" });
    // Only guards against hanging.
    page.setDefaultTimeout(120_000);
    for (const [name, call] of Object.entries(functions)) await page.exposeFunction(name, call);
    const query = new URLSearchParams(folder ? { folder } : { ew: "true" });
    query.set("payload", JSON.stringify([["skipWelcome", "true"], ...payload]));
    await page.goto(`${url}/?${query}`);
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    return { browser, page };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * The content of an extension's webview. Its frame is not a child of its pane, so the whole page is searched.
 * @param {Page} page
 * @param {string} extensionId publisher.name
 * @param {"view" | "editor"} [kind] if an extension shows one of each
 */
export function webview(page, extensionId, kind) {
  const purpose = { view: '[src*="purpose=webviewView"]', editor: ':not([src*="purpose=webviewView"])' };
  const outer = page.locator(`iframe.webview[src*="extensionId=${extensionId}" i]${kind ? purpose[kind] : ""}`);
  return outer.contentFrame().locator("iframe#active-frame").contentFrame();
}

/**
 * Runs a command as a user would, by its title in the command palette.
 * @param {Page} page
 * @param {string} title with its category: "Dedup: Open Panel"
 */
export async function runCommand(page, title, timeout = 120_000) {
  const palette = page.locator(".quick-input-widget");
  const row = palette.locator(".monaco-list-row").filter({ has: page.getByText(title, { exact: true }) });
  const deadline = Date.now() + timeout;
  // An open palette does not show commands that are registered later, so it is reopened until the extension is there.
  for (;;) {
    try {
      await page.keyboard.press("F1");
      await palette.locator("input[type=text]").fill(`>${title}`, { timeout: 2000 });
      await row.first().click({ timeout: 2000 });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/**
 * @param {Page} page
 * @param {string} file a PNG, in a folder that is created if missing
 */
export async function screenshot(page, file) {
  await mkdir(dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}
