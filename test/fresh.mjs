// `npm run test:fresh`: what a newcomer does. Clones the last commit, runs `npm start` and `npm run package` there with an
// empty home, and prints how long each took. Needs the network for `npm ci`; with --linked, the clone uses the packages
// installed here, which is how `npm test` runs it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { linked: { type: "boolean" } } });
const repository = fileURLToPath(new URL("..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "dedup-fresh-"));
const clone = join(root, "dedup-inspector");
const env = { PATH: process.env.PATH, HOME: join(root, "home") };
const seconds = since => `${((performance.now() - since) / 1000).toFixed(0)} s`;

/** The HTTP status of the page whose address `npm start` prints. */
async function start() {
  const child = spawn("npm", ["start", "--", "--no-browser"], {
    cwd: clone,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [address] = /http:\/\/\S+/.exec(line) ?? [];
      if (address !== undefined) return (await fetch(address)).status;
    }
    throw new Error("npm start printed no address");
  } finally {
    child.kill("SIGTERM");
    await new Promise(resolve => child.once("close", resolve));
  }
}

try {
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", repository, clone]);
  if (values.linked) symlinkSync(realpathSync(join(repository, "node_modules")), join(clone, "node_modules"));
  let began = performance.now();
  const status = await start();
  if (status !== 200) throw new Error(`the page answered ${status}`);
  console.log(`from the clone to the page: ${seconds(began)}`);
  began = performance.now();
  execFileSync("npm", ["run", "--silent", "package"], { cwd: clone, env, stdio: ["ignore", "ignore", "inherit"] });
  console.log(`from there to ${readdirSync(clone).find(name => name.endsWith(".vsix"))}: ${seconds(began)}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
