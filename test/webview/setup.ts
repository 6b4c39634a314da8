/** Builds the page as it is shipped, serves it on loopback and starts one Chromium for all tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { pageBuild } from "../../webview/build.mjs";
import { servePage } from "./server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium listens. */
    browser: string;
    /** The page server's address. */
    server: string;
    /** The folder with webview.js and webview.css. */
    built: string;
  }
}

/** The scripts have no types; this is all we need. */
interface SystemScript {
  ensureChromium(): { readonly path?: string; readonly reason?: string };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const built = mkdtempSync(join(tmpdir(), "dedup-page-"));
  await build({ ...pageBuild, outdir: built });
  await build({ entryPoints: [join(import.meta.dirname, "fakeHost.js")], bundle: true, outdir: built });
  const { href } = new URL("../../scripts/system.mjs", import.meta.url);
  const { path: executablePath, reason } = ((await import(href)) as SystemScript).ensureChromium();
  if (executablePath === undefined) throw new Error(`${reason}: apt-get install chromium fonts-dejavu-core`);
  const [server, browser] = await Promise.all([
    servePage(built),
    chromium.launchServer({
      executablePath,
      headless: true,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--font-render-hinting=none",
        "--enable-precise-memory-info",
      ],
      // Nothing from this user goes into a test, and nothing from a test into their home.
      env: { PATH: process.env["PATH"] ?? "", HOME: built, XDG_CONFIG_HOME: built, XDG_CACHE_HOME: built },
    }),
  ]);
  project.provide("browser", browser.wsEndpoint());
  project.provide("server", server.address);
  project.provide("built", built);
  return async () => {
    await browser.close();
    await server.close();
    rmSync(built, { recursive: true, force: true });
  };
}
