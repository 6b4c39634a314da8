// Texts of the invented project: the web service, its store and its configuration.

/** @type {Record<string, string>} */
export const WEB = {
  "src/recipe.ts": `/** The shapes everything else agrees on. */

export interface Ingredient {
  readonly quantity: number | null;
  readonly unit: string | null;
  readonly name: string;
  readonly note?: string;
}

export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly servings: number;
  readonly ingredients: readonly Ingredient[];
  readonly steps: readonly string[];
}
`,
  "src/config.ts": `/** Settings from the environment, read once at start. */

export interface Config {
  readonly port: number;
  readonly dataDir: string;
  readonly maxBody: number;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = Number(env.LADLE_PORT ?? "8080");
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error("LADLE_PORT is not a port: " + String(env.LADLE_PORT));
  }
  return {
    port,
    dataDir: env.LADLE_DATA ?? "./data",
    maxBody: Number(env.LADLE_MAX_BODY ?? "262144"),
  };
}
`,
  "src/store.ts": String.raw`/** Recipes as JSON files in one folder. Small on purpose: a family has some hundred recipes. */

import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Recipe } from "./recipe.js";

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

export class RecipeStore {
  private readonly folder: string;
  private readonly loaded = new Map<string, Recipe>();
  private ready: Promise<void> | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Loads the folder once; later calls wait for the same work. */
  open(): Promise<void> {
    this.ready ??= this.load();
    return this.ready;
  }

  private async load(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const names = (await readdir(this.folder)).filter(name => name.endsWith(".json")).sort();
    for (const name of names) {
      const text = await readFile(join(this.folder, name), "utf8");
      const recipe = JSON.parse(text) as Recipe;
      this.loaded.set(recipe.id, recipe);
    }
  }

  list(): readonly Recipe[] {
    return [...this.loaded.values()].sort((a, b) => a.title.localeCompare(b.title));
  }

  get(id: string): Recipe | undefined {
    return this.loaded.get(id);
  }

  /** Writes beside the old file and renames, so that a crash never leaves half a recipe. */
  async put(recipe: Recipe): Promise<void> {
    if (!ID.test(recipe.id)) throw new Error("not a recipe id: " + recipe.id);
    const path = join(this.folder, recipe.id + ".json");
    const draft = path + ".draft";
    await writeFile(draft, JSON.stringify(recipe, null, 2) + "\n", "utf8");
    await rename(draft, path);
    this.loaded.set(recipe.id, recipe);
  }

  get size(): number {
    return this.loaded.size;
  }
}

/** "Grandma's Lentil Soup!" becomes "grandma-s-lentil-soup". */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "recipe" : slug.slice(0, 64);
}
`,
  "src/server.ts": String.raw`/** The web service: a handful of routes on node:http, no framework. */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Config, readConfig } from "./config.js";
import { ImportJobs } from "./jobs.js";
import { parseRecipe } from "./parse.js";
import { scaleRecipe } from "./scale.js";
import { RecipeStore, slugOf } from "./store.js";

export interface App {
  readonly server: Server;
  readonly store: RecipeStore;
  readonly jobs: ImportJobs;
}

type Handler = (app: App, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

const ROUTES: readonly Route[] = [
  { method: "GET", pattern: /^\/$/, handler: page },
  { method: "GET", pattern: /^\/api\/health$/, handler: health },
  { method: "GET", pattern: /^\/api\/recipes$/, handler: listRecipes },
  { method: "POST", pattern: /^\/api\/recipes$/, handler: addRecipe },
  { method: "GET", pattern: /^\/api\/recipes\/([^/]+)$/, handler: getRecipe },
  { method: "GET", pattern: /^\/api\/recipes\/([^/]+)\/scaled$/, handler: getScaled },
  { method: "POST", pattern: /^\/api\/imports$/, handler: startImport },
  { method: "GET", pattern: /^\/api\/imports\/(\d+)$/, handler: getImport },
];

export function createApp(config: Config): App {
  const store = new RecipeStore(config.dataDir);
  const jobs = new ImportJobs(store);
  const app: App = { server: createServer(), store, jobs };
  app.server.on("request", (request, response) => {
    void answer(app, config, request, response);
  });
  return app;
}

async function answer(app: App, config: Config, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://ladle.local");
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > config.maxBody) return send(response, 413, { error: "that recipe is too long" });
  const route = ROUTES.find(entry => entry.method === request.method && entry.pattern.test(url.pathname));
  if (route === undefined) return send(response, 404, { error: "nothing here" });
  try {
    await app.store.open();
    await route.handler(app, request, response, url);
  } catch (problem) {
    const text = problem instanceof Error ? problem.message : String(problem);
    send(response, problem instanceof RangeError ? 400 : 500, { error: text });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(text);
}

async function page(_app: App, _request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readFile("public/index.html", "utf8");
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(text);
}

function health(app: App, _request: IncomingMessage, response: ServerResponse): void {
  send(response, 200, { ok: true, recipes: app.store.size });
}

function listRecipes(app: App, _request: IncomingMessage, response: ServerResponse): void {
  send(
    response,
    200,
    app.store.list().map(recipe => ({ id: recipe.id, title: recipe.title, servings: recipe.servings })),
  );
}

async function addRecipe(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const recipe = parseRecipe(await bodyOf(request));
  await app.store.put({ ...recipe, id: slugOf(recipe.title) });
  send(response, 201, { id: slugOf(recipe.title) });
}

function getRecipe(app: App, _request: IncomingMessage, response: ServerResponse, url: URL): void {
  const recipe = app.store.get(url.pathname.split("/")[3] ?? "");
  if (recipe === undefined) return send(response, 404, { error: "no such recipe" });
  send(response, 200, recipe);
}

function getScaled(app: App, _request: IncomingMessage, response: ServerResponse, url: URL): void {
  const recipe = app.store.get(url.pathname.split("/")[3] ?? "");
  if (recipe === undefined) return send(response, 404, { error: "no such recipe" });
  const servings = Number(url.searchParams.get("servings") ?? recipe.servings);
  send(response, 200, scaleRecipe(recipe, servings));
}

async function startImport(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const job = app.jobs.start(await bodyOf(request));
  send(response, 202, { id: job.id });
}

function getImport(app: App, _request: IncomingMessage, response: ServerResponse, url: URL): void {
  const job = app.jobs.get(Number(url.pathname.split("/")[3]));
  if (job === undefined) return send(response, 404, { error: "no such import" });
  send(response, 200, job);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

if (process.argv[1]?.endsWith("server.js")) {
  const config = readConfig();
  createApp(config).server.listen(config.port, () => console.log("ladle listens on " + String(config.port)));
}
`,
};
