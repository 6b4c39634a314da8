// Texts of the invented project: its tests.

/** @type {Record<string, string>} */
export const TESTS = {
  "test/scale.test.ts": `import { describe, expect, it } from "vitest";
import type { Recipe } from "../src/recipe.js";
import { scaleIngredient, scaleRecipe } from "../src/scale.js";

const pancakes: Recipe = {
  id: "pancakes",
  title: "Sunday pancakes",
  servings: 4,
  ingredients: [
    { quantity: 2, unit: "cup", name: "flour" },
    { quantity: 1.5, unit: "cup", name: "milk" },
    { quantity: 2, unit: null, name: "eggs" },
    { quantity: 0.5, unit: "tsp", name: "baking soda" },
    { quantity: null, unit: "pinch", name: "salt" },
  ],
  steps: ["Mix the dry things.", "Add the wet things.", "Rest ten minutes, then bake."],
};

describe("scaleRecipe", () => {
  it("leaves a recipe alone at its own servings", () => {
    const scaled = scaleRecipe(pancakes, 4);
    expect(scaled.factor).toBe(1);
    expect(scaled.lines[0]?.text).toBe("2 cups flour");
  });

  it("doubles", () => {
    const scaled = scaleRecipe(pancakes, 8);
    expect(scaled.lines.map(line => line.text).slice(0, 3)).toEqual(["4 cups flour", "3 cups milk", "4 eggs"]);
  });

  it("goes from four to six", () => {
    const scaled = scaleRecipe(pancakes, 6);
    expect(scaled.lines[1]?.text).toBe("2 1/4 cups milk");
    expect(scaled.lines[2]?.text).toBe("3 eggs");
  });

  it("refuses half a person", () => {
    expect(() => scaleRecipe(pancakes, 2.5)).toThrow(RangeError);
    expect(() => scaleRecipe(pancakes, 0)).toThrow(RangeError);
  });

  it("warns about a very large batch", () => {
    expect(scaleRecipe(pancakes, 200).warnings).toHaveLength(1);
  });
});

describe("scaleIngredient", () => {
  it("keeps a unit it does not know", () => {
    const scaled = scaleIngredient({ quantity: 2, unit: "ladles", name: "broth" }, 1.5);
    expect(scaled.text).toBe("3 ladles broth");
  });

  it("prints a plain name where there is no quantity", () => {
    expect(scaleIngredient({ quantity: null, unit: null, name: "pepper" }, 3).text).toBe("pepper");
  });
});
`,
  "test/fractions.test.ts": `import { describe, expect, it } from "vitest";
import { formatQuantity, nearestFraction, parseQuantity } from "../src/fractions.js";

describe("formatQuantity", () => {
  const cases: ReadonlyArray<readonly [number, string]> = [
    [0, "0"],
    [0.25, "1/4"],
    [0.5, "1/2"],
    [1, "1"],
    [1.5, "1 1/2"],
    [2.75, "2 3/4"],
    [3.998, "4"],
    [12, "12"],
  ];
  for (const [value, text] of cases) {
    it("writes " + String(value) + " as " + text, () => {
      expect(formatQuantity(value)).toBe(text);
    });
  }

  it("uses glyphs when asked", () => {
    expect(formatQuantity(1.5, { glyphs: true })).toBe("1½");
    expect(formatQuantity(0.75, { glyphs: true })).toBe("¾");
  });

  it("refuses what no cup can hold", () => {
    expect(() => formatQuantity(-1)).toThrow(RangeError);
    expect(() => formatQuantity(Number.NaN)).toThrow(RangeError);
  });
});

describe("nearestFraction", () => {
  it("prefers the closer neighbour", () => {
    expect(nearestFraction(0.27).text).toBe("1/4");
    expect(nearestFraction(0.45).text).toBe("1/2");
  });
});

describe("parseQuantity", () => {
  it("reads what people type", () => {
    expect(parseQuantity("2")).toBe(2);
    expect(parseQuantity("2,5")).toBe(2.5);
    expect(parseQuantity("1 1/2")).toBe(1.5);
    expect(parseQuantity("3/4")).toBe(0.75);
    expect(parseQuantity("1½")).toBe(1.5);
    expect(parseQuantity("¼")).toBe(0.25);
  });

  it("says no to the rest", () => {
    expect(parseQuantity("some")).toBeNull();
    expect(parseQuantity("1/0")).toBeNull();
    expect(parseQuantity("")).toBeNull();
  });
});
`,
  "test/server.test.ts": String.raw`import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type App, createApp } from "../src/server.js";

const PORT = 8099;
let app: App;
let folder: string;
let base: string;

const SOUP = [
  "Lentil soup",
  "Serves 4",
  "Ingredients",
  "- 300 g red lentils",
  "- 1 1/2 l water",
  "- 2 cloves garlic, crushed",
  "- a pinch of salt",
  "Method",
  "1. Boil everything for twenty minutes.",
].join("\n");

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ladle-"));
  app = createApp({ port: PORT, dataDir: folder, maxBody: 10_000 });
  app.server.listen(PORT);
  base = "http://127.0.0.1:" + String(PORT);
});

afterEach(async () => {
  app.server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the service", () => {
  it("is healthy", async () => {
    const answer = await fetch(base + "/api/health");
    expect(await answer.json()).toEqual({ ok: true, recipes: 0 });
  });

  it("stores and lists a recipe", async () => {
    const added = await fetch(base + "/api/recipes", { method: "POST", body: SOUP });
    expect(added.status).toBe(201);
    const list = await (await fetch(base + "/api/recipes")).json();
    expect(list).toEqual([{ id: "lentil-soup", title: "Lentil soup", servings: 4 }]);
  });

  it("scales a stored recipe", async () => {
    await fetch(base + "/api/recipes", { method: "POST", body: SOUP });
    const answer = await fetch(base + "/api/recipes/lentil-soup/scaled?servings=8");
    const scaled = (await answer.json()) as { lines: { text: string }[] };
    expect(scaled.lines[0]?.text).toBe("600 g red lentils");
  });

  it("answers 404 for a recipe nobody wrote", async () => {
    expect((await fetch(base + "/api/recipes/nothing")).status).toBe(404);
  });

  it("answers 400 for half a person", async () => {
    await fetch(base + "/api/recipes", { method: "POST", body: SOUP });
    expect((await fetch(base + "/api/recipes/lentil-soup/scaled?servings=2.5")).status).toBe(400);
  });

  it("refuses a novel", async () => {
    const answer = await fetch(base + "/api/recipes", { method: "POST", body: "x".repeat(20_000) });
    expect(answer.status).toBe(413);
  });

  it("imports several recipes at once", async () => {
    const book = [SOUP, SOUP.replace("Lentil", "Pea")].join("\n===\n");
    const started = await fetch(base + "/api/imports", { method: "POST", body: book });
    expect(started.status).toBe(202);
    const port = (app.server.address() as AddressInfo).port;
    expect(port).toBe(PORT);
  });
});
`,
  "test/units.test.ts": `import { describe, expect, it } from "vitest";
import { comfortable, convert, findUnit, UNITS } from "../src/units.js";

function unit(name: string) {
  const found = findUnit(name);
  if (found === undefined) throw new Error("no unit " + name);
  return found;
}

describe("findUnit", () => {
  it("knows plurals, aliases and full stops", () => {
    expect(findUnit("Cups")?.name).toBe("cup");
    expect(findUnit("teaspoons")?.name).toBe("tsp");
    expect(findUnit("tbsp.")?.name).toBe("tbsp");
    expect(findUnit("handful")).toBeUndefined();
  });

  it("has no alias twice", () => {
    const words = UNITS.flatMap(entry => [...new Set([entry.name, entry.plural, ...entry.aliases])]);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe("convert", () => {
  it("turns litres into millilitres", () => {
    expect(convert(1.5, unit("l"), unit("ml"))).toBe(1500);
  });

  it("refuses to weigh a volume", () => {
    expect(() => convert(1, unit("cup"), unit("g"))).toThrow("cannot turn cup into g");
  });
});

describe("comfortable", () => {
  it("moves to a larger unit", () => {
    expect(comfortable(2000, unit("g"))).toEqual({ amount: 2, unit: unit("kg") });
  });

  it("leaves a pinch a pinch", () => {
    expect(comfortable(3, unit("pinch")).unit.name).toBe("pinch");
  });
});
`,
};
