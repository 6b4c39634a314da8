/** Which settings live hints use: the command line's, until the same setting changes in VS Code. */
import { describe, expect, it } from "vitest";
import { defaultsOf } from "../../../src/settings/kinds.js";
import {
  NO_CHOICES,
  parseLiveSettings,
  renderLiveSettings,
  settingsInForce,
  withConfiguration,
} from "../../../src/settings/liveSettings.js";
import { REPLAY } from "../../../src/settings/table.js";

const DEFAULTS = defaultsOf(REPLAY);
const CHOSEN = { ...NO_CHOICES, commandLine: { capacity: 20, runs: false } };

describe("the settings of live hints", () => {
  it("are the defaults if nobody chose anything", () => {
    expect(settingsInForce(NO_CHOICES)).toEqual(DEFAULTS);
  });

  it("keep what was chosen on the command line when VS Code turns them on", () => {
    const both = withConfiguration(CHOSEN, { ...DEFAULTS, capacity: 9, minBytes: 300 });
    expect(settingsInForce(both)).toEqual({ ...DEFAULTS, capacity: 20, minBytes: 300, runs: false });
  });

  it("follow VS Code once that very setting changes there", () => {
    const both = withConfiguration(CHOSEN, { ...DEFAULTS, capacity: 9 });
    const changed = withConfiguration(both, { ...DEFAULTS, capacity: 12 });
    expect(settingsInForce(changed)).toEqual({ ...DEFAULTS, capacity: 12, runs: false });
    expect(settingsInForce(withConfiguration(changed, { ...DEFAULTS, capacity: 12 }))).toEqual(
      settingsInForce(changed),
    );
    const mapped = withConfiguration(
      { ...both, commandLine: { invalidates: { Bash: ["Grep"] } } },
      { ...DEFAULTS, capacity: 9, invalidates: { Write: ["mcp__*"] } },
    );
    expect(settingsInForce(mapped).invalidates).toEqual({ Write: ["mcp__*"] });
  });

  it("keep a trial through the file and through changes in VS Code", () => {
    const trial = { key: "a key", since: "2026-11-17T00:00:00.000Z", until: "2026-11-18T00:00:00.000Z", folder: "/p" };
    const settings = withConfiguration({ ...NO_CHOICES, trial }, { ...DEFAULTS, capacity: 9 });
    expect(parseLiveSettings(renderLiveSettings(settings)).trial).toEqual(trial);
  });

  it.each([{ key: "", since: "2026-11-17" }, { key: 1, since: "2026-11-17" }, { key: "a key" }, "yes"])(
    "know no trial without a key and a beginning: %j",
    trial => {
      const text = `${renderLiveSettings(NO_CHOICES).trimEnd().slice(0, -1)},"trial":${JSON.stringify(trial)}}`;
      expect(parseLiveSettings(text)).toEqual(NO_CHOICES);
    },
  );

  it("are read back as they were written", () => {
    const settings = withConfiguration(
      { ...NO_CHOICES, commandLine: { capacity: 20, invalidates: { 'a"b': ["ö", "mcp__*"] } } },
      { ...DEFAULTS, nearRef: true },
    );
    expect(settingsInForce(parseLiveSettings(renderLiveSettings(settings)))).toEqual(settingsInForce(settings));
    const later = withConfiguration(parseLiveSettings(renderLiveSettings(settings)), { ...DEFAULTS, nearRef: true });
    expect(settingsInForce(later)).toEqual(settingsInForce(settings));
  });

  it.each(["", "{", "null", "[]", '{"commandLine":7,"vscode":{"capacity":"9","runs":1,"verbosity":"loud"}}'])(
    "are the defaults where the file makes no sense: %j",
    text => expect(settingsInForce(parseLiveSettings(text))).toEqual(DEFAULTS),
  );

  it("become valid ones if somebody wrote invalid ones", () => {
    expect(settingsInForce(parseLiveSettings('{"commandLine":{"capacity":0,"spanMinBytes":1}}'))).toMatchObject({
      capacity: 1,
      spanMinBytes: 200,
    });
  });
});
