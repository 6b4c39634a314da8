import { describe, expect, it } from "vitest";
import type { Trial } from "../../../src/settings/liveSettings.js";
import { groupOf, isControl } from "../../../src/trial/assign.js";

const RUNNING: Trial = { key: "0123456789abcdef0123456789abcdef", since: "2026-11-17T00:00:00.000Z" };
const SESSIONS = Array.from(
  { length: 2000 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
);

/** With this many fair coins, all but one in a thousand trials have this many heads. */
const FAIR = { least: 1000 - 75, most: 1000 + 75 };

describe("the groups of a trial", () => {
  it.each([
    ["ids that count up", SESSIONS],
    ["random ids", SESSIONS.map(() => `${Math.random()}-${Math.random()}`)],
  ])("are of equal size for %s", (_, ids) => {
    const hinted = ids.filter(id => groupOf(id, RUNNING) === "hints").length;
    expect(hinted).toBeGreaterThan(FAIR.least);
    expect(hinted).toBeLessThan(FAIR.most);
  });

  it("differ with another key", () => {
    const other = { key: "0123456789abcdef0123456789abcdee" };
    const same = SESSIONS.filter(id => groupOf(id, RUNNING) === groupOf(id, other)).length;
    expect(same).toBeGreaterThan(FAIR.least);
    expect(same).toBeLessThan(FAIR.most);
  });

  it("do not depend on the session before", () => {
    const groups = SESSIONS.map(id => groupOf(id, RUNNING));
    const repeated = groups.filter((group, index) => group === groups[index - 1]).length;
    expect(repeated).toBeGreaterThan(FAIR.least);
    expect(repeated).toBeLessThan(FAIR.most);
  });

  it("have a control without hints as long as the trial runs", () => {
    const control = SESSIONS.find(id => groupOf(id, RUNNING) === "control");
    const hinted = SESSIONS.find(id => groupOf(id, RUNNING) === "hints");
    expect(isControl(control, RUNNING)).toBe(true);
    expect(isControl(hinted, RUNNING)).toBe(false);
    expect(isControl(control, undefined)).toBe(false);
    expect(isControl(control, { ...RUNNING, until: "2026-11-18T00:00:00.000Z" })).toBe(false);
  });

  it("have every session with an unknown id in the control", () => {
    expect([isControl("", RUNNING), isControl(undefined, RUNNING)]).toEqual([true, true]);
  });
});
