import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fileAddress, Handover, handoverPlaces } from "../../../src/serve/handover.js";
import { until } from "./serving.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-handover-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ADDRESS = "http://127.0.0.1:1/open?ticket=abc";

describe("the file that leads a browser to the page", () => {
  it("redirects automatically, and has a link for browsers that do not", () => {
    const handover = new Handover(ADDRESS, 60_000, [folder]);
    const html = readFileSync(fileURLToPath(handover.address), "utf8");
    expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${ADDRESS}">`);
    expect(html).toContain(`<a href="${ADDRESS}">`);
    handover.end();
    expect(existsSync(dirname(fileURLToPath(handover.address)))).toBe(false);
    handover.end();
  });

  it("lives no longer than what it leads to", async () => {
    new Handover(ADDRESS, 20, [folder]);
    expect(readdirSync(folder)).toHaveLength(1);
    await until(() => readdirSync(folder).length === 0);
  });

  it("is in the next place if the best is not writable, and says so if none is", () => {
    const missing = join(folder, "missing");
    const handover = new Handover(ADDRESS, 60_000, [missing, folder]);
    expect(dirname(dirname(fileURLToPath(handover.address)))).toBe(folder);
    handover.end();
    expect(() => new Handover(ADDRESS, 60_000, [missing])).toThrow(/ENOENT/);
  });

  it.each([
    ["win32", "C:\\Users\\Zoë Ö\\a.html", "file:///C:/Users/Zoë%20Ö/a.html"],
    ["win32", "C:\\100%\\#1 Женя\\a.html", "file:///C:/100%25/%231%20Женя/a.html"],
    ["darwin", "/tmp/Zoë Ö/a.html", "file:///tmp/Zo%C3%AB%20%C3%96/a.html"],
    ["linux", "/tmp/%C3%AB/a.html", "file:///tmp/%25C3%25AB/a.html"],
  ] as const)("has an address that a browser on %s understands: %s", (platform, path, address) => {
    expect(fileAddress(path, platform)).toBe(address);
  });

  it.each([
    ["linux", "/home/u", true, ["/home/u", "/tmp"]],
    ["linux", "/home/u", false, ["/tmp"]],
    ["linux", "", true, ["/tmp"]],
    ["linux", "relative", true, ["/tmp"]],
    ["darwin", "/Users/u", true, ["/tmp"]],
    ["win32", "C:\\Users\\u", false, ["/tmp"]],
  ] as const)("on %s, at home in %j, with snaps %j, lies in %j", (platform, home, hasSnaps, places) => {
    expect(handoverPlaces(platform, home, "/tmp", path => hasSnaps && path === "/snap")).toEqual(places);
  });
});
