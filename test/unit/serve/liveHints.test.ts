import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionItem } from "../../../src/protocol/messages.js";
import type { LiveHintsOffer } from "../../../src/protocol/requests.js";
import { LiveHints } from "../../../src/serve/liveHintsSwitch.js";
import type { Scope } from "../../../src/settings/liveSettings.js";
import { REPOSITORY } from "../../support/replay.js";

const THEIRS = '{\n  "model": "opus"\n}\n';

let root: string;
const userFile = () => join(root, "config", "settings.json");
const localFile = () => join(root, "project", ".claude", "settings.local.json");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "dedup-live-"));
  for (const name of ["config", "project", "home"]) mkdirSync(join(root, name));
  writeFileSync(userFile(), THEIRS);
  vi.stubEnv("HOME", join(root, "home"));
  vi.stubEnv("XDG_DATA_HOME", join(root, "home", "data"));
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(root, "config"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const item = (change: Partial<SessionItem>): SessionItem => ({
  key: "/logs/one.jsonl",
  project: "",
  title: "",
  lastAt: "",
  live: false,
  results: 1,
  repeats: 1,
  tokens: 1000,
  savedTokens: 100,
  wholeTokens: 30,
  realisedTokens: 0,
  ...change,
});

function liveHints(project = join(root, "project"), sessions: readonly SessionItem[] = []): LiveHints {
  return new LiveHints({ project, shipped: join(REPOSITORY, "dist", "hook.js"), sessions: async () => sessions });
}

/** Where a scope is among the places of an offer. */
const at = ({ places }: LiveHintsOffer, scope: Scope) => places.findIndex(one => one.scope === scope);
const scopesIn = ({ places }: LiveHintsOffer): Scope[] => places.map(({ scope }) => scope);

describe("live hints from a browser's page", () => {
  it("shows what would change in each place, and writes nothing", async () => {
    const offer = await liveHints().offer(true);
    expect(scopesIn(offer)).toEqual(["local", "project", "user"]);
    for (const { change, problem } of offer.places) {
      expect(problem).toBeNull();
      expect(change.filter(({ sign, text }) => sign === "+" && text.includes("hook.js"))).not.toEqual([]);
    }
    expect(readFileSync(userFile(), "utf8")).toBe(THEIRS);
    expect(existsSync(localFile())).toBe(false);
  });

  it("says what whole results and repeated lines would have saved, without the sample", async () => {
    const list = [item({}), item({ key: "b", tokens: 500 }), item({ key: "s", sample: true })];
    const { saved } = await liveHints(undefined, list).offer(true);
    expect(saved).toEqual({ sessions: 2, tokens: 1500, savedTokens: 200, wholeTokens: 60 });
  });

  it("writes what was shown, and undoes it to the byte", async () => {
    const host = liveHints();
    const offer = await host.offer(true);
    await host.accept(offer.number, at(offer, "user"));
    expect(host.state).toBe("both");
    expect(readFileSync(userFile(), "utf8")).toContain("hook.js");
    expect(existsSync(localFile())).toBe(false);
    const off = await host.offer(false);
    expect(scopesIn(off)).toEqual(["user"]);
    await host.accept(off.number, at(off, "user"));
    expect(readFileSync(userFile(), "utf8")).toBe(THEIRS);
    expect(host.state).toBe("off");
  });

  it("writes the file that was picked if Claude Code has several folders", async () => {
    const other = join(root, "config2");
    mkdirSync(other);
    vi.stubEnv("CLAUDE_CONFIG_DIR", [join(root, "config"), other].join(","));
    const host = liveHints();
    const offer = await host.offer(true);
    expect(scopesIn(offer)).toEqual(["local", "project", "user", "user"]);
    const place = offer.places.findIndex(({ file }) => file === userFile());
    await host.accept(offer.number, place);
    expect(readFileSync(userFile(), "utf8")).toContain("hook.js");
    expect(existsSync(join(other, "settings.json"))).toBe(false);
  });

  it("only offers places where it applies", async () => {
    const host = liveHints();
    const offer = await host.offer(true);
    await host.accept(offer.number, at(offer, "local"));
    expect(scopesIn(await host.offer(true))).toEqual(["project", "user"]);
    expect(scopesIn(await host.offer(false))).toEqual(["local"]);
  });

  it("refuses what was not shown last, and what was accepted before", async () => {
    const host = liveHints();
    const first = await host.offer(true);
    const second = await host.offer(true);
    await expect(host.accept(first.number, at(first, "user"))).rejects.toThrow("shown too long ago");
    await host.accept(second.number, at(second, "user"));
    await expect(host.accept(second.number, at(second, "local"))).rejects.toThrow("shown too long ago");
    const off = await host.offer(false);
    await expect(host.accept(off.number, at(off, "local"))).rejects.toThrow("shown too long ago");
    expect(existsSync(localFile())).toBe(false);
  });

  it("does not touch a file that has changed since it was shown", async () => {
    const host = liveHints();
    const offer = await host.offer(true);
    const since = THEIRS.replace("opus", "sonnet");
    writeFileSync(userFile(), since);
    await expect(host.accept(offer.number, at(offer, "user"))).rejects.toThrow("changed in the meantime");
    expect(readFileSync(userFile(), "utf8")).toBe(since);
  });

  it("says why a file that is not understood is not changed, and offers the others", async () => {
    writeFileSync(userFile(), "{ not settings");
    const host = liveHints();
    const offer = await host.offer(true);
    expect(offer.places.map(({ problem }) => problem === null)).toEqual([true, true, false]);
    await expect(host.accept(offer.number, at(offer, "user"))).rejects.toThrow();
    expect(readFileSync(userFile(), "utf8")).toBe("{ not settings");
  });

  it("does not mistake the user's own file for a project's", async () => {
    mkdirSync(join(root, "home", ".claude"));
    vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
    expect(scopesIn(await liveHints(join(root, "home")).offer(true))).toEqual(["local", "user"]);
  });
});

describe("the plugin of claude plugin install", () => {
  /** As Claude Code 2.1.325 writes them. */
  const enabled = (isEnabled: boolean) =>
    JSON.stringify({ enabledPlugins: { "dedup-inspector@dedup": isEnabled } }, null, 2);
  const inProject = (name: string, text: string) => {
    mkdirSync(join(root, "project", ".claude"), { recursive: true });
    writeFileSync(join(root, "project", ".claude", name), text);
  };

  it("counts as on, in the user's settings and in a project's, unless a nearer file turns it off", () => {
    expect(liveHints().state).toBe("off");
    writeFileSync(userFile(), enabled(true));
    expect(liveHints().state).toBe("plugin");
    inProject("settings.local.json", enabled(false));
    expect(liveHints().state).toBe("off");
    writeFileSync(userFile(), enabled(false));
    inProject("settings.local.json", "{}");
    inProject("settings.json", enabled(true));
    expect(liveHints().state).toBe("plugin");
  });

  it("is shown with the command that removes it, if nothing else is on", async () => {
    writeFileSync(userFile(), enabled(true));
    const { places, plugins } = await liveHints().offer(false);
    expect(places).toEqual([]);
    const id = "dedup-inspector@dedup";
    expect(plugins).toEqual([{ id, removal: `claude plugin uninstall ${id}` }]);
    writeFileSync(userFile(), "{}");
    inProject("settings.json", enabled(true));
    const [ofProject] = (await liveHints().offer(false)).plugins;
    expect(ofProject?.removal).toBe(`claude plugin uninstall ${id} --scope project`);
  });

  it("is the mod for newer versions, if only hooks are installed next to it", async () => {
    const host = liveHints();
    const offer = await host.offer(true);
    await host.accept(offer.number, at(offer, "local"));
    const installed = JSON.parse(readFileSync(localFile(), "utf8"));
    const others = { ...installed, enabledPlugins: { "dedup-inspector@dedup-inspector": false } };
    writeFileSync(localFile(), JSON.stringify(others));
    expect(host.state).toBe("hooks");
    writeFileSync(userFile(), enabled(true));
    expect(host.state).toBe("both");
  });
});
