// Texts of the invented project: everything that is not code.

/** @type {Record<string, string>} */
export const DOCS = {
  "package.json": `{
  "name": "ladle",
  "version": "0.6.2",
  "description": "Scales recipes to the people at the table",
  "type": "module",
  "private": true,
  "engines": { "node": ">=20" },
  "scripts": {
    "build": "tsc -p tsconfig.json",
    "start": "node dist/server.js",
    "test": "vitest run --reporter=./test/plain-reporter.ts",
    "lint": "tsc --noEmit -p tsconfig.json"
  },
  "devDependencies": {
    "@types/node": "^20.14.0",
    "typescript": "^5.6.0",
    "vitest": "^2.1.0"
  }
}
`,
  "CLAUDE.md": `# ladle

- Plain TypeScript, no runtime dependencies. Keep it that way.
- Tests: "npm test". Type check: "npm run lint". Both must pass before a commit.
- Quantities are numbers in the recipe's own unit; only src/fractions.ts turns them into text.
- One change per commit, the message in the imperative, no prefix.
- The kitchen computer runs Node 20 on a small board: nothing heavy at start.
`,
  "README.md": `# ladle

ladle scales recipes. You give it a recipe for four, it gives you the same recipe for six, with amounts a person can
really measure: "1 1/2 cups", not "1.4999 cups".

It began as a weekend project for a family that never has four people at the table. It runs on a small board in the
kitchen and keeps its recipes as JSON files in one folder, so that a backup is a copy of that folder.

## Start

    npm install
    npm run build
    npm start

Then open http://localhost:8080. The port and the folder come from the environment:

| variable | meaning | default |
|---|---|---|
| LADLE_PORT | port of the web service | 8080 |
| LADLE_DATA | folder with the recipes | ./data |
| LADLE_MAX_BODY | largest request body in bytes | 262144 |

## Writing a recipe

Type it as you would on a card. The first line is the title, then "Serves 4", then an Ingredients heading, then a
Method heading:

    Lentil soup
    Serves 4
    Ingredients
    - 300 g red lentils
    - 1 1/2 l water
    - 2 cloves garlic, crushed
    - a pinch of salt
    Method
    1. Boil everything for twenty minutes.

Fractions may be written as 1/2, ½ or 0.5. Units may be metric or imperial; ladle keeps the system of the recipe.

## Importing a cookbook

Put many recipes into one file, separated by a line of three or more equals signs, and post it to /api/imports. The
answer holds a number; ask /api/imports/NUMBER how far it is.

## What it does not do

- It does not know that yeast, baking powder and salt do not scale in a straight line. It only warns about yeast.
- It does not change the size of your pot.
`,
  "docs/api.md": `# The web service

Every answer is JSON. An error has the shape {"error": "what went wrong"}.

## GET /api/health

    {"ok": true, "recipes": 42}

## GET /api/recipes

All recipes in the order of their titles, without their ingredients:

    [{"id": "lentil-soup", "title": "Lentil soup", "servings": 4}]

## POST /api/recipes

The body is a recipe as typed by a person (see README). Answers 200 with the id of the new recipe:

    {"id": "lentil-soup"}

Answers 400 where the title or the ingredients are missing, and 413 where the body is longer than LADLE_MAX_BODY.

## GET /api/recipes/ID

The whole recipe, or 404.

## GET /api/recipes/ID/scaled?servings=N

The recipe for N people. Without N it is returned as written.

    {
      "title": "Lentil soup",
      "servings": 8,
      "factor": 2,
      "lines": [{"name": "red lentils", "amount": 600, "unit": "g", "text": "600 g red lentils"}],
      "warnings": []
    }

N may be any positive number. Ingredients without an amount are left out.

## POST /api/imports

Many recipes in one body, separated by lines of "===". Answers 202 with the number of the job:

    {"id": 7}

## GET /api/imports/NUMBER

    {"id": 7, "phase": "reading", "total": 120, "done": 41, "problems": []}

The phases are waiting, reading, storing, done and failed.
`,
  ".github/workflows/ci.yml": `name: ci

on:
  push:
    branches: [main]
  pull_request:

jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        node: [20, 22]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: "#{{ matrix.node }}"
          cache: npm
      - run: npm ci
      - run: npm run lint
      - run: npm test
      - run: npm run build
`.replace("#{{", "$" + "{{"),
  "test/plain-reporter.ts": `/** One line per test and no times, so that two runs can be compared with diff. */

import type { File, Reporter, Task } from "vitest";

export default class PlainReporter implements Reporter {
  onFinished(files: File[] = []): void {
    for (const file of files) this.print(file.name, file.tasks);
  }

  private print(path: string, tasks: readonly Task[]): void {
    for (const task of tasks) {
      const name = path + " > " + task.name;
      if (task.type === "suite") this.print(name, task.tasks);
      else console.log((task.result?.state === "pass" ? "ok    " : "FAIL  ") + name);
    }
  }
}
`,
  "test/parse.test.ts": String.raw`import { describe, expect, it } from "vitest";
import { parseIngredient, parseRecipe } from "../src/parse.js";

describe("parseIngredient", () => {
  it("splits amount, unit and name", () => {
    expect(parseIngredient("2 cups flour")).toEqual({ quantity: 2, unit: "cup", name: "flour" });
    expect(parseIngredient("1 1/2 l water")).toEqual({ quantity: 1.5, unit: "l", name: "water" });
  });

  it("keeps a note after the comma", () => {
    expect(parseIngredient("2 cloves garlic, crushed")).toEqual({
      quantity: 2,
      unit: "clove",
      name: "garlic",
      note: "crushed",
    });
  });

  it("reads a pinch as a feeling, not as a number", () => {
    expect(parseIngredient("a pinch of salt")).toEqual({ quantity: null, unit: "pinch", name: "salt" });
  });

  it("reads an onion as one onion", () => {
    expect(parseIngredient("an onion")).toEqual({ quantity: 1, unit: null, name: "onion" });
  });

  it("leaves a bare name alone", () => {
    expect(parseIngredient("pepper")).toEqual({ quantity: null, unit: null, name: "pepper" });
  });
});

describe("parseRecipe", () => {
  it("needs a title and ingredients", () => {
    expect(() => parseRecipe("")).toThrow(RangeError);
    expect(() => parseRecipe("Toast\nMethod\nToast it.")).toThrow(RangeError);
  });

  it("reads a whole card", () => {
    const card = "# Toast\nServes 2\n\nIngredients:\n* 2 pieces bread\n* butter\n\nMethod\n1) Toast.\n2) Butter.";
    const recipe = parseRecipe(card);
    expect(recipe.title).toBe("Toast");
    expect(recipe.servings).toBe(2);
    expect(recipe.ingredients).toHaveLength(2);
    expect(recipe.steps).toEqual(["Toast.", "Butter."]);
  });
});
`,
};
