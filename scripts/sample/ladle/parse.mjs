// Texts of the invented project: reading recipes typed by people, and importing many of them.

/** @type {Record<string, string>} */
export const PARSE = {
  "src/parse.ts": String.raw`/** Turns a recipe typed by a person into a Recipe. Forgiving by design. */

import { parseQuantity } from "./fractions.js";
import type { Ingredient, Recipe } from "./recipe.js";
import { findUnit } from "./units.js";

const SERVES = /^(?:serves|for|makes|servings:?)\s+(\d+)/i;
const HEADING = /^(ingredients|method|steps|directions)\s*:?$/i;
const BULLET = /^(?:[-*•]|\d+[.)])\s+/;

type Section = "head" | "ingredients" | "steps";

export function parseRecipe(text: string): Omit<Recipe, "id"> {
  let title = "";
  let servings = 4;
  let section: Section = "head";
  const ingredients: Ingredient[] = [];
  const steps: string[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "") continue;
    const heading = HEADING.exec(line);
    if (heading) {
      section = heading[1]?.toLowerCase() === "ingredients" ? "ingredients" : "steps";
      continue;
    }
    const serves = SERVES.exec(line);
    if (serves && section === "head") {
      servings = Number(serves[1]);
      continue;
    }
    if (section === "head") {
      if (title === "") title = line.replace(/^#+\s*/, "");
      continue;
    }
    const item = line.replace(BULLET, "");
    if (section === "ingredients") ingredients.push(parseIngredient(item));
    else steps.push(item);
  }
  if (title === "") throw new RangeError("a recipe needs a title on its first line");
  if (ingredients.length === 0) throw new RangeError("no ingredients found below an Ingredients heading");
  return { title, servings, ingredients, steps };
}

/** "1 1/2 cups flour, sifted" → 1.5, cup, flour, sifted. */
export function parseIngredient(line: string): Ingredient {
  const [main = "", ...rest] = line.split(",");
  const note = rest.join(",").trim();
  const words = main.trim().split(/\s+/);
  let quantity: number | null = null;
  let used = 0;
  for (const take of [2, 1]) {
    const candidate = parseQuantity(words.slice(0, take).join(" "));
    if (candidate !== null && words.length > take) {
      quantity = candidate;
      used = take;
      break;
    }
  }
  if (used === 0 && /^(a|an)$/i.test(words[0] ?? "") && words.length > 1) {
    used = 1;
    const unit = findUnit(words[1] ?? "");
    if (unit === undefined || unit.measure !== "feel") quantity = 1;
  }
  let unit: string | null = null;
  const found = findUnit(words[used] ?? "");
  if (found !== undefined && words.length > used + 1) {
    unit = found.name;
    used += 1;
  }
  if (/^of$/i.test(words[used] ?? "")) used += 1;
  const name = words.slice(used).join(" ");
  return note === "" ? { quantity, unit, name } : { quantity, unit, name, note };
}
`,
  "src/jobs.ts": `/** Importing a whole cookbook takes a while, so it runs as a job one can ask about. */

import { parseRecipe } from "./parse.js";
import { type RecipeStore, slugOf } from "./store.js";

export type Phase = "queued" | "reading" | "storing" | "done" | "failed";

export interface ImportJob {
  readonly id: number;
  phase: Phase;
  total: number;
  done: number;
  readonly problems: string[];
}

const SEPARATOR = /^={3,}$/m;

export class ImportJobs {
  private readonly store: RecipeStore;
  private readonly jobs = new Map<number, ImportJob>();
  private next = 1;

  constructor(store: RecipeStore) {
    this.store = store;
  }

  start(text: string): ImportJob {
    const parts = text.split(SEPARATOR).filter(part => part.trim() !== "");
    const job: ImportJob = { id: this.next, phase: "queued", total: parts.length, done: 0, problems: [] };
    this.next += 1;
    this.jobs.set(job.id, job);
    void this.run(job, parts);
    return job;
  }

  get(id: number): ImportJob | undefined {
    return this.jobs.get(id);
  }

  private async run(job: ImportJob, parts: readonly string[]): Promise<void> {
    job.phase = "reading";
    for (const [index, part] of parts.entries()) {
      try {
        const recipe = parseRecipe(part);
        job.phase = "storing";
        await this.store.put({ ...recipe, id: slugOf(recipe.title) });
      } catch (problem) {
        const text = problem instanceof Error ? problem.message : String(problem);
        job.problems.push("recipe " + String(index + 1) + ": " + text);
      }
      job.done += 1;
    }
    job.phase = job.done === job.problems.length && job.total > 0 ? "failed" : "done";
  }
}
`,
  "public/index.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>ladle</title>
    <style>
      body { font: 17px/1.5 Georgia, serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-weight: normal; letter-spacing: 0.02em; }
      ul { list-style: none; padding: 0; }
      li { padding: 0.3rem 0; border-bottom: 1px solid #e6dfd3; }
      .controls { display: flex; gap: 1rem; align-items: center; margin: 1rem 0; }
      .warning { color: #9a5b00; font-style: italic; }
      input[type="number"] { width: 4rem; font: inherit; }
    </style>
  </head>
  <body>
    <h1 id="title">ladle</h1>
    <div class="controls">
      <label>Servings <input id="servings" type="number" min="1" max="400" value="4" /></label>
    </div>
    <ul id="lines"></ul>
    <p id="warnings" class="warning"></p>
    <script type="module">
      const id = new URLSearchParams(location.search).get("recipe") ?? "";
      const servings = document.querySelector("#servings");

      async function show() {
        const query = new URLSearchParams({ servings: servings.value });
        const answer = await fetch("/api/recipes/" + encodeURIComponent(id) + "/scaled?" + query);
        const recipe = await answer.json();
        if (!answer.ok) {
          document.querySelector("#warnings").textContent = recipe.error;
          return;
        }
        document.querySelector("#title").textContent = recipe.title;
        document.querySelector("#lines").replaceChildren(
          ...recipe.lines.map(line => {
            const item = document.createElement("li");
            item.textContent = line.text;
            return item;
          }),
        );
        document.querySelector("#warnings").textContent = recipe.warnings.join(" ");
      }

      servings.addEventListener("input", show);
      show();
    </script>
  </body>
</html>
`,
};
