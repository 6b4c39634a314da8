/** A real browser for tests that are about more than the page. Without one they are skipped, with a message. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { expect, type TestContext } from "vitest";
import type { Place } from "./cli.js";
import { REPOSITORY } from "./replay.js";

/** The browser's path, or why there is none. */
async function findBrowser(): Promise<{ path: string } | { reason: string }> {
  const system = (await import(String(new URL("../../scripts/system.mjs", import.meta.url)))) as {
    chromium(): string | undefined;
  };
  const path = system.chromium();
  if (path === undefined) return { reason: "no Chromium on PATH" };
  return existsSync(join(REPOSITORY, "dist", "webview.js")) ? { path } : { reason: "dist/webview.js is not built" };
}

/** Uses none of this user's data and leaves nothing in their home. */
export async function startBrowser(place: Place, context: TestContext): Promise<Browser> {
  const found = await findBrowser();
  if ("reason" in found) {
    console.log(`skipped: ${context.task.name} (${found.reason})`);
    expect(process.env["CI"]).not.toBe("true");
    return context.skip();
  }
  const home = place.path("home");
  return chromium.launch({
    executablePath: found.path,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    env: { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
}
