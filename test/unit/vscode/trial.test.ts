/** A trial in VS Code: it ends as on the command line, for other projects too, and what is done there is noticed. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dataFolder } from "../../../src/files/folders.js";
import { liveSettingsFile } from "../../../src/hook/hookSettings.js";
import { install, planInstall, planUninstall, uninstall } from "../../../src/hook/install/installer.js";
import { chooseSettings, chosenSettings } from "../../../src/hook/install/ownCopies.js";
import { activePlugins, liveHintsPlaces } from "../../../src/hook/install/places.js";
import { runningTrial, withoutTrial, withTrial } from "../../../src/hook/install/trials.js";
import { NO_CHOICES } from "../../../src/settings/liveSettings.js";
import type { Configuration } from "../../../src/vscode/config.js";
import type { EngineHost } from "../../../src/vscode/engineHost.js";
import { texts } from "../../../src/vscode/vscodeStrings.js";
import { strings } from "../../../src/words/strings.js";

type Answer = (message: string) => string | undefined;
const user = vi.hoisted(() => ({
  answer: (() => undefined) as Answer,
  told: [] as string[],
  details: [] as string[],
  contexts: new Map<string, unknown>(),
  comesBack: (_: { focused: boolean }) => {},
  watched: new Map<string, () => void>(),
  folders: [] as string[],
  configured: [] as (() => void)[],
  refreshed: 0,
}));

vi.mock("vscode", async () => {
  const nothing = { dispose: () => {} };
  const told = async (message: string, options?: { detail?: string }) => {
    user.told.push(message);
    user.details.push(options?.detail ?? "");
    return user.answer(message);
  };
  return {
    ...(await import("./vscode.js")),
    commands: {
      executeCommand: async (_: string, key: string, value: unknown) => void user.contexts.set(key, value),
    },
    RelativePattern: class {
      readonly path: string;
      constructor({ path }: { readonly path: string }, name: string) {
        this.path = join(path, name);
      }
    },
    window: {
      onDidChangeWindowState: (listener: typeof user.comesBack) => {
        user.comesBack = listener;
        return nothing;
      },
      withProgress: (_: unknown, work: (progress: unknown, token: unknown) => unknown) =>
        work({}, { onCancellationRequested: () => nothing }),
      showInformationMessage: told,
      showErrorMessage: told,
      showQuickPick: async (items: readonly unknown[]) => items[0],
    },
    workspace: {
      get workspaceFolders() {
        return user.folders.map(path => ({ uri: { scheme: "file", fsPath: path } }));
      },
      onDidCloseTextDocument: () => nothing,
      registerTextDocumentContentProvider: () => nothing,
      asRelativePath: (path: string) => path,
      createFileSystemWatcher: ({ path }: { readonly path: string }) => ({
        onDidCreate: () => nothing,
        onDidChange: (changed: () => void) => user.watched.set(path, changed),
        onDidDelete: () => nothing,
        dispose: () => void user.watched.delete(path),
      }),
    },
  };
});
const { LiveHints } = await import("../../../src/vscode/liveHints.js");
const { Uri } = await import("./vscode.js");

const NO_SESSIONS = { hints: 0, control: 0, hinted: 0, leftOut: 0 };
let folder: string;
let liveHints: InstanceType<typeof LiveHints>;
const own = () => join(folder, "config", "settings.json");
const elsewhere = () => join(folder, "other", ".claude", "settings.local.json");
const shippedHook = () => join(folder, "dist", "hook.js");

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dedup-trial-"));
  for (const name of ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"]) {
    vi.stubEnv(name, folder);
  }
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(folder, "config"));
  mkdirSync(join(folder, "config"));
  mkdirSync(join(folder, "dist"));
  for (const name of ["hookProgram.js", "statusProgram.js", "hook.js", "register.js"]) {
    writeFileSync(join(folder, "dist", name), "// dedup-inspector");
  }
  user.told.length = user.details.length = 0;
  const report = { verdict: "undecided", measures: [], since: "2026-11-01", sessions: NO_SESSIONS };
  user.folders = [];
  user.configured.length = 0;
  const onDidChange = (listener: () => void) => {
    user.configured.push(listener);
    return { dispose: () => {} };
  };
  const config = { onDidChange, refresh: () => void user.refreshed++, forLiveHints: {} };
  liveHints = new LiveHints(
    { extensionUri: Uri.file(folder) } as never,
    config as unknown as Configuration,
    { ask: async () => report } as unknown as EngineHost,
    { warn: () => {} } as never,
  );
  // It updates the program once, if there is one.
  await new Promise(resolve => setImmediate(resolve));
  for (const file of [own(), elsewhere()]) {
    await install(planInstall(file), shippedHook(), chosen => withTrial(chosen, undefined));
  }
});
afterEach(() => {
  liveHints.dispose();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const { off } = strings.liveHints;
const { askKeep, continues, keptNothing } = strings.trial;

it("turns hints off in other projects before the trial is over", async () => {
  user.answer = message => (message.includes(askKeep) || message === off ? texts.liveHints.turnOff : undefined);
  await liveHints.endTrial();
  expect([own(), elsewhere()].filter(existsSync)).toEqual([]);
  expect(chosenSettings()).toMatchObject({ isOff: true, trial: { until: expect.any(String) } });
  expect(user.told.at(-1)).toBe(keptNothing);
});

it("continues the trial, and says so, if one of them is declined", async () => {
  let asked = 0;
  user.answer = message =>
    message.includes(askKeep) || (message === off && ++asked === 1) ? texts.liveHints.turnOff : undefined;
  await liveHints.endTrial();
  expect(readFileSync(elsewhere(), "utf8")).toContain("hook.js");
  expect(runningTrial(chosenSettings() ?? NO_CHOICES)).toBeDefined();
  expect(user.told.at(-1)).toBe(continues);
});

it("continues the trial if a file cannot be changed, and turns hints off in the others", async () => {
  chmodSync(own(), 0o444);
  user.answer = message => (message.includes(askKeep) || message === off ? texts.liveHints.turnOff : undefined);
  await liveHints.endTrial();
  chmodSync(own(), 0o644);
  expect([existsSync(own()), existsSync(elsewhere())]).toEqual([true, false]);
  expect(runningTrial(chosenSettings() ?? NO_CHOICES)).toBeDefined();
  expect(user.told.at(-1)).toBe(continues);
});

it("asks once about a file that has two names", async () => {
  // As in a project that was opened through a link.
  symlinkSync(join(folder, "config"), join(folder, "link"));
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(folder, "link"));
  let asked = 0;
  user.answer = message =>
    message.includes(askKeep) || (message === off && ++asked <= 2) ? texts.liveHints.turnOff : undefined;
  await liveHints.endTrial();
  expect(asked).toBe(2);
  expect([own(), elsewhere()].filter(existsSync)).toEqual([]);
  expect(user.told.at(-1)).toBe(keptNothing);
});

it("says so before it changes a file that another project's people share", async () => {
  const shared = join(folder, "other", ".claude", "settings.json");
  await install(planInstall(shared), shippedHook());
  user.answer = message => (message.includes(askKeep) || message === off ? texts.liveHints.turnOff : undefined);
  await liveHints.endTrial();
  const detailsOf = (file: string) => user.details.filter(detail => detail.includes(file));
  expect(detailsOf(shared)).toEqual([expect.stringContaining(strings.liveHints.shared)]);
  expect(detailsOf(elsewhere()).join()).not.toContain(strings.liveHints.shared);
});

it("says that its record goes if hints are turned off where they were last on, and only then", async () => {
  const { recordRemoved } = strings.trial;
  user.answer = message => (message === off ? texts.liveHints.turnOff : undefined);
  await liveHints.turnOff();
  expect(existsSync(own())).toBe(false);
  expect(user.told).not.toContain(recordRemoved);
  rmSync(elsewhere());
  await install(planInstall(own()), shippedHook(), chosen => chosen);
  await uninstall(planUninstall(elsewhere()));
  await liveHints.turnOff();
  expect(user.told).toContain(recordRemoved);
});

it("can be ended from a window whose own project has no hints", () => {
  rmSync(own());
  user.comesBack({ focused: true });
  expect([user.contexts.get("dedup:liveHintsOn"), user.contexts.get("dedup:canEndTrial")]).toEqual([false, true]);
});

it("notices a trial that was ended and started on the command line", async () => {
  const offered = () => [user.contexts.get("dedup:canStartTrial"), user.contexts.get("dedup:canEndTrial")];
  const file = liveSettingsFile(dataFolder());
  const left = withoutTrial(chosenSettings() ?? NO_CHOICES);
  await chooseSettings(left);
  user.watched.get(file)?.();
  expect(offered()).toEqual([true, false]);
  await chooseSettings(withTrial(left, undefined));
  user.watched.get(file)?.();
  expect(offered()).toEqual([false, true]);
});

describe("a window with several folders", () => {
  const first = () => join(folder, "first");
  const second = () => join(folder, "other");
  const isOn = () => user.contexts.get("dedup:liveHintsOn");

  beforeEach(async () => {
    await uninstall(planUninstall(own()));
    user.folders = [first()];
    for (const tell of user.configured) tell();
  });

  it("shows hints that are on in any of them, and turns them off there", async () => {
    expect(isOn()).toBe(false);
    user.folders = [first(), second()];
    for (const tell of user.configured) tell();
    expect(isOn()).toBe(true);
    user.answer = message => (message === off ? texts.liveHints.turnOff : undefined);
    await liveHints.turnOff();
    expect(existsSync(elsewhere())).toBe(false);
  });

  it("notices changes in all of them, and in no folder that is gone", async () => {
    user.folders = [first(), second()];
    for (const tell of user.configured) tell();
    expect(isOn()).toBe(true);
    await uninstall(planUninstall(elsewhere()));
    // The page is told, too.
    user.refreshed = 0;
    user.watched.get(elsewhere())?.();
    expect([isOn(), user.refreshed]).toEqual([false, 1]);
    user.folders = [first()];
    for (const tell of user.configured) tell();
    expect([...user.watched.keys()].filter(file => file.startsWith(second()))).toEqual([]);
  });

  it("has a plugin that is on in one of them, even if it is off in another", () => {
    for (const [project, isEnabled] of [[first(), false] as const, [second(), true] as const]) {
      mkdirSync(join(project, ".claude"), { recursive: true });
      const enabledPlugins = { "dedup-inspector@dedup": isEnabled };
      writeFileSync(join(project, ".claude", "settings.json"), JSON.stringify({ enabledPlugins }));
    }
    const plugin = { id: "dedup-inspector@dedup", scope: "project" };
    expect(activePlugins(liveHintsPlaces(first(), second()))).toEqual([plugin]);
    expect(activePlugins(liveHintsPlaces(first()))).toEqual([]);
  });
});
