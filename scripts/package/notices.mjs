// Third-party packages in what we ship, as reported by the bundler: names, versions and licence texts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The folders of all packages that contribute to a bundle, by name. */
export function bundledPackages() {
  const { outputs } = JSON.parse(readFileSync(join(repository, "dist", "build.json"), "utf8"));
  const folders = new Map();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      if (folder !== undefined && bytesInOutput > 0) folders.set(name, join(repository, folder));
    }
  }
  return new Map([...folders].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Every text that a package's licence requires us to pass on. */
function textsIn(folder) {
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notices?|copying)(\.\w+)?$/i.test(file));
  const texts = files.sort().map(file => readFileSync(join(folder, file), "utf8"));
  return texts.map(text => text.replace(/[ \t]*\r?\n/g, "\n").trim());
}

/** For a package without a licence text: one that is built with it has the text among its own notices. */
function textFor(name, texts) {
  const sections = texts.flatMap(text => text.split(/\n-{3,}\n/));
  const found = sections.find(section => section.trim().startsWith(`${name} `));
  if (found === undefined) throw new Error(`${name} comes without a licence text`);
  // Its first two lines name another version and its home.
  return found.trim().split("\n").slice(2).join("\n").trim();
}

export function notices() {
  const packages = [...bundledPackages()].map(([name, folder]) => ({ name, folder, texts: textsIn(folder) }));
  const all = packages.flatMap(({ texts }) => texts);
  const parts = packages.map(({ name, folder, texts }) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const own = texts.length > 0 ? texts : [textFor(name, all)];
    return [`${name} ${version} (${license})`, ...own].join("\n\n");
  });
  const head = "Dedup Inspector contains parts of the following packages. Written by `npm run notices`.";
  return `${[head, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
