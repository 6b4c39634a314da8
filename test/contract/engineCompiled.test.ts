/** V8's compiled code of the engine is kept next to it, for the next time that a panel is opened. */
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import type { EngineConfig, FromEngine, ToEngine } from "../../src/engine/engineMessages.js";
import { DEFAULT_FIGURES } from "../../src/settings/table.js";
import { built, homeIn, Place } from "../support/cli.js";
import { codeCache } from "../support/codeCache.js";
import { call, logText, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";
import { settled, until } from "../support/until.js";

beforeAll(built);

const NAME = `engineWorker.${process.version}.${process.arch}.compiled`;
let place: Place;
const kept = () => place.path("dist", NAME);
const keptFiles = () => readdirSync(place.path("dist")).filter(name => name.endsWith(".compiled"));

beforeEach(() => {
  place = new Place();
  place.write("logs/a.jsonl", logText(call("1", "Bash", { command: "ls" }), result("1", textOf(300))));
  mkdirSync(place.path("dist"));
  for (const name of ["engineWorker.js", "replayWorker.js", "programs.js", "compiled.js"]) {
    copyFileSync(join(REPOSITORY, "dist", name), place.path("dist", name));
  }
});
afterEach(() => place.remove());

const started = () => new Worker(place.path("dist", "engineWorker.js"), { env: homeIn(place.path("home")) });

/** Opens the session, and stops once this holds. */
async function opened(useCache: boolean, isDone: () => Promise<void>): Promise<void> {
  const worker = started();
  let isShown = false;
  worker.on("message", (message: FromEngine) => {
    if (message.type === "page" && message.message.type === "snapshot")
      isShown ||= message.message.state.context !== null;
  });
  const send = (message: ToEngine) => worker.postMessage(message);
  const config: EngineConfig = {
    place: "browser",
    roots: [place.path("logs")],
    workspace: [],
    settings: DEFAULT_SETTINGS,
    figures: DEFAULT_FIGURES,
    axis: "order",
    useCache,
  };
  send({ type: "configure", config });
  send({ type: "page", panel: 1, message: { type: "ready" } });
  await until(() => isShown);
  await isDone();
  const exit = once(worker, "exit");
  send({ type: "stop" });
  await exit;
}

it("is kept once a session has been shown, and not again", async () => {
  await opened(true, () => until(() => keptFiles().length > 0));
  expect(keptFiles()).toEqual([NAME]);
  const whenMade = readFileSync(kept());
  await opened(true, async () => {});
  expect(readFileSync(kept()).equals(whenMade)).toBe(true);
});

it("is not kept if nothing may be cached", async () => {
  await opened(false, () => settled(() => keptFiles().length));
  expect(keptFiles()).toEqual([]);
});

it("is what runs the next time", async () => {
  const program = (word: string) =>
    `exports.engineWorker=()=>(require("node:worker_threads").parentPort.postMessage("${word}"),{firstPicture:new Promise(()=>{})});`;
  const said = async () => {
    const [word] = await once(started(), "message");
    return word;
  };
  writeFileSync(place.path("dist", "programs.js"), program("read"));
  expect(await said()).toBe("read");
  writeFileSync(kept(), codeCache(program("read"), program("kept"), "engineWorker"));
  expect(await said()).toBe("kept");
});
