/** The engine's thread. */
import { parentPort, workerData } from "node:worker_threads";
import { strings } from "../words/strings.js";
import { translate } from "../words/translate.js";
import { Engine } from "./engine.js";
import type { FromEngine, ToEngine } from "./engineMessages.js";

const translations = workerData as Readonly<Record<string, string>> | null | undefined;
if (translations) translate(strings, text => translations[text] ?? text);

let useCache = false;
let pictureSent = () => {};
/** When a page has been sent a session for the first time, if anything may be cached. */
export const firstPicture = new Promise<void>(resolve => {
  pictureSent = resolve;
});

const engine = new Engine(message => {
  const bytes = pictureIn(message);
  parentPort?.postMessage(message, bytes);
  if (useCache && bytes.length > 0) pictureSent();
});

parentPort?.on("message", (message: ToEngine) => {
  if (message.type === "configure") useCache = message.config.useCache;
  if (message.type !== "stop") return engine.take(message);
  engine.stop();
  process.exit(0);
});

/** A snapshot's bytes are transferred, not copied. */
function pictureIn(message: FromEngine): readonly ArrayBuffer[] {
  if (message.type !== "page" || message.message.type !== "snapshot") return [];
  return message.message.state.context ?? [];
}
