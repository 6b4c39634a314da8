/** Random trees of folders, logs and links: the search finds what can be reached, each log once. */
import { linkSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findLogs } from "../../../src/tail/discover.js";
import { Chance, Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

interface Tree {
  readonly root: string;
  readonly places: string[];
  /** For each folder, the folders that it contains or that its links lead to. */
  readonly ways: Map<string, string[]>;
  readonly logs: Map<string, string[]>;
}

/** Half of the folders are outside the root, and can only be reached through links. */
function grown(chance: Chance): Tree {
  const [root, outside] = [folders.make(), folders.make()].map(path => realpathSync(path)) as [string, string];
  const tree: Tree = { root, places: [root, outside], ways: new Map(), logs: new Map() };
  for (let at = 0; at < 10; at++) {
    const parent = chance.pick(tree.places);
    const folder = join(parent, `f${at}`);
    mkdirSync(folder);
    tree.places.push(folder);
    tree.ways.set(parent, [...(tree.ways.get(parent) ?? []), folder]);
  }
  for (const [at, folder] of tree.places.entries()) {
    for (let links = chance.below(4); links > 0; links--) {
      const target = chance.pick(tree.places);
      symlinkSync(target, join(folder, `${chance.pick(["a", "z"])}${links}`));
      tree.ways.set(folder, [...(tree.ways.get(folder) ?? []), target]);
    }
    for (let logs = chance.below(3); logs > 0; logs--) {
      const log = join(folder, `log${at}-${logs}.jsonl`);
      writeFileSync(log, "{}\n");
      tree.logs.set(folder, [...(tree.logs.get(folder) ?? []), log]);
      if (chance.is(0.2)) symlinkSync(log, join(chance.pick(tree.places), `link${at}-${logs}.jsonl`));
      if (chance.is(0.2)) linkSync(log, join(folder, `twin${at}-${logs}.jsonl`));
    }
    if (chance.is(0.1)) symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
  }
  return tree;
}

function reachable({ root, ways, logs }: Tree): Set<number> {
  const met = new Set([root]);
  for (const folder of met) for (const next of ways.get(folder) ?? []) met.add(next);
  return new Set([...met].flatMap(folder => (logs.get(folder) ?? []).map(log => statSync(log).ino)));
}

describe("the search for logs", () => {
  it("finds everything that is reachable, once, under its own name if it has one in the root", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const chance = new Chance(seed);
      const tree = grown(chance);
      const found = findLogs([tree.root]).logs;
      const inos = found.map(({ ino }) => ino);
      expect(new Set(inos).size, `seed ${seed}`).toBe(inos.length);
      // Links to single logs may lead out to folders that are not reached themselves.
      for (const ino of reachable(tree)) expect(inos, `seed ${seed}`).toContain(ino);
      for (const { path } of found) {
        const real = realpathSync(path);
        if (real.startsWith(`${tree.root}/`)) expect(path, `seed ${seed}`).toBe(real);
      }
    }
  });

  it("gives the same names when further links appear, and when they are gone", () => {
    for (let seed = 1000; seed < 1050; seed++) {
      const chance = new Chance(seed);
      const tree = grown(chance);
      const inside = () =>
        findLogs([tree.root])
          .logs.map(({ path }) => path)
          .filter(path => realpathSync(path) === path);
      const before = inside();
      const link = join(tree.root, "0-first-of-all");
      symlinkSync(chance.pick(tree.places), link);
      expect(inside(), `seed ${seed}`).toEqual(before);
      rmSync(link);
      expect(inside(), `seed ${seed}`).toEqual(before);
    }
  });
});
