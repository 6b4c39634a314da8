// What is written in the second and third turn: the new code, its test, and the summary of the compaction.

export const IN_SYSTEM = `const HOME: Record<UnitSystem, Partial<Record<Measure, string>>> = {
  metric: { volume: "ml", weight: "g" },
  imperial: { volume: "cup", weight: "oz" },
};

export function isSystem(word: string): word is UnitSystem {
  return word === "metric" || word === "imperial";
}

/** The same amount in the other system, in the unit people there would reach for. */
export function inSystem(amount: number, unit: Unit, system: UnitSystem): { amount: number; unit: Unit } {
  const home = unit.system === system || unit.system === "both" ? undefined : HOME[system][unit.measure];
  const target = home === undefined ? undefined : findUnit(home);
  if (target === undefined) return comfortable(amount, unit);
  return comfortable(convert(amount, unit, target), target);
}

`;

export const SYSTEMS_TEST = `import { describe, expect, it } from "vitest";
import { scaleRecipe } from "../src/scale.js";
import { findUnit, inSystem, type Unit } from "../src/units.js";

const cup = findUnit("cup") as Unit;
const tsp = findUnit("tsp") as Unit;

describe("inSystem", () => {
  it("turns cups into millilitres", () => {
    expect(inSystem(2, cup, "metric")).toEqual({ amount: 480, unit: findUnit("ml") });
  });

  it("leaves spoons alone", () => {
    expect(inSystem(1.5, tsp, "metric").unit).toBe(tsp);
    expect(inSystem(1.5, tsp, "imperial").unit).toBe(tsp);
  });
});

describe("scaleRecipe with a system", () => {
  it("prints the whole recipe in one system", () => {
    const flatbread = {
      id: "flatbread",
      title: "Flatbread",
      servings: 2,
      ingredients: [{ quantity: 2, unit: "cup", name: "flour" }],
      steps: [],
    };
    const scaled = scaleRecipe(flatbread, 2, "metric");
    expect(scaled.lines[0]?.text).toBe("480 ml flour");
  });
});
`;

export const SUMMARY = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.

Summary:
Ana's project is ladle, a small recipe-scaling web service in plain TypeScript (/home/ana/ladle). Done so far:

1. Thirds and pinches: the table in src/fractions.ts has thirds now, scaleRecipe keeps ingredients without an amount. Committed on main.
2. On branch "systems": src/units.ts has isSystem and inSystem; src/scale.ts takes an optional system in scaleRecipe and scaleIngredient; the scaled route of src/server.ts takes system and answers 400 to anything but metric and imperial; test/systems.test.ts is new. Lint and all tests are green. Committed.

Still to do: a switch on public/index.html, then docs/api.md, then the cookbook.

Ana wants: one change per commit, message in the imperative, no runtime dependencies, tests and lint green before each commit, and no server in the foreground.`;
