/** How `dedup-inspector open` passes its page to a browser: in a way that other users of the machine cannot see. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../support/browser.js";
import { Place } from "../support/cli.js";
import { type Opened, openedIn, until } from "../unit/serve/opened.js";

const place = new Place();
const start = openedIn(place);
const DISPLAY = { DISPLAY: ":0", PATH: `${place.path("bin")}:${process.env["PATH"]}` };

/** Somebody else on this machine: no group, no rights. */
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/**
 * Searches everything that this process can read of others and of the given folders for the given texts. Those are
 * passed on standard input: on a command line, they would be found there.
 */
const SNOOP = `
const { readFileSync, readdirSync, statSync } = require("node:fs");
const { join } = require("node:path");
const { needles, folders } = JSON.parse(readFileSync(0, "utf8"));
const found = [];
const look = path => {
  // A browser's files come and go.
  try {
    if (statSync(path).size >= 50_000_000) return;
    const text = readFileSync(path, "latin1");
    for (const [name, needle] of Object.entries(needles)) if (text.includes(needle)) found.push([name, path]);
  } catch {}
};
const walk = folder => {
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {}
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path);
    else if (entry.isFile()) look(path);
  }
};
for (const pid of readdirSync("/proc").filter(name => /^\\d+$/.test(name))) {
  if (pid !== String(process.pid)) for (const file of ["cmdline", "environ", "comm"]) look(join("/proc", pid, file));
}
for (const folder of folders) walk(folder);
process.stdout.write(JSON.stringify(found));
`;

type Found = readonly (readonly [name: string, path: string])[];

function snoop(needles: Readonly<Record<string, string>>): Found {
  const input = JSON.stringify({ needles, folders: [place.folder] });
  const said = execFileSync("setpriv", [...NOBODY, process.execPath, "-e", SNOOP], { input, encoding: "utf8" });
  return JSON.parse(said) as Found;
}

const namesOf = (found: Found) => [...new Set(found.map(([name]) => name))];
const isRoot = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/setpriv");

/** A browser that only records what it was given, and runs until it is ended. */
async function given(opened: Opened): Promise<string> {
  await opened.started;
  await until(() => existsSync(place.path("given")) && readFileSync(place.path("given"), "utf8").endsWith("\n"));
  return readFileSync(place.path("given"), "utf8").trim();
}

describe.skipIf(process.platform !== "linux")("the page that a browser is handed", () => {
  beforeAll(() => {
    // Only our own measures may keep others out.
    for (const folder of ["home", "tmp", "bin"]) place.write(`${folder}/readable`, "a text that anybody may read");
    for (const folder of ["", "home", "tmp", "bin"]) chmodSync(place.path(folder), 0o755);
    const script = `#!/bin/sh\nprintf '%s\\n' "$*" >"${place.path("given")}"\nwhile [ -e "${place.path("given")}" ]; do sleep 0.1; done\n`;
    chmodSync(place.write("bin/xdg-open", script), 0o755);
  });

  it("is a file that only its user can read, and leads on to an address that works once", async () => {
    const opened = start([], DISPLAY);
    const address = await given(opened);
    expect(address).toMatch(/^file:\/\/\/.*\/dedup-inspector-open-\w+\/open\.html$/);
    const file = fileURLToPath(address);
    expect([file, dirname(file)].map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
    const leadsTo = /url=([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    expect(leadsTo).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?ticket=[\w-]{43}$/);
    const token = opened.address.hash.slice("#token=".length);

    const first = await fetch(leadsTo);
    expect([first.status, (await first.text()).includes(token)]).toEqual([200, false]);
    // Once used, nothing is left of it.
    await until(() => !existsSync(dirname(file)));
    expect((await fetch(leadsTo)).status).toBe(403);
    await until(() => opened.stderr !== "");
    expect(opened.stderr).toMatch(
      /^dedup-inspector: the page was opened twice .* disconnected\. Open the address .*\n$/,
    );
    rmSync(place.path("given"));
  });

  it("is removed with the program if nobody has opened it", async () => {
    const opened = start([], DISPLAY);
    const file = fileURLToPath(await given(opened));
    expect(await opened.end("SIGINT")).toBe(0);
    expect([existsSync(dirname(file)), readdirSync(place.path("tmp"))]).toEqual([false, ["readable"]]);
    rmSync(place.path("given"));
  });

  it("is removed immediately if there is no browser", async () => {
    const opened = start([], { DISPLAY: ":0", PATH: place.path("tmp") });
    await opened.started;
    await until(() => !readdirSync(place.path("tmp")).some(name => name.startsWith("dedup-inspector-open")));
    expect((await fetch(new URL("/", opened.address))).status).toBe(200);
  });

  it("cannot be obtained by another user, before it is opened and while it is shown", async context => {
    if (!isRoot) {
      console.log("skipped: another user's view of the handover (only root can be somebody else)");
      return context.skip();
    }
    const browser = await startBrowser(place, context);
    try {
      const opened = start([], DISPLAY);
      const address = await given(opened);
      const file = fileURLToPath(address);
      const ticket = /ticket=([\w-]{43})/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
      const token = opened.address.hash.slice("#token=".length);
      const needles = { ticket, token, anyTicket: "ticket=", file: address, readable: "a text that anybody may read" };
      // It does see what is visible: the browser's command line, and unprotected files.
      expect(namesOf(snoop(needles)).sort()).toEqual(["file", "readable"]);

      const page = await browser.newPage();
      await page.goto(address);
      await page.locator(".event-row").first().waitFor();
      expect(page.url()).toBe(`${opened.address.origin}/`);
      const granted = await page.evaluate<string>("sessionStorage.getItem('dedup.token')");
      expect(granted).toHaveLength(43);
      expect(existsSync(dirname(file))).toBe(false);
      expect(namesOf(snoop({ ...needles, granted })).sort()).toEqual(["file", "readable"]);
      expect(opened.stderr).toBe("");
    } finally {
      rmSync(place.path("given"));
      await browser.close();
    }
  });
});
