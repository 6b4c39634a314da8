/** The engine on a thread of its own. */
import { parentPort } from "node:worker_threads";
import { Engine } from "./engine.js";
import type { FromEngine, ToEngine } from "./engineMessages.js";

const engine = new Engine(message => parentPort?.postMessage(message, handedOver(message)));

parentPort?.on("message", (message: ToEngine) => {
  if (message.type === "stop") void engine.stop().then(() => process.exit(0));
  else engine.take(message);
});

/** A snapshot's bytes change hands without being copied. */
function handedOver(message: FromEngine): readonly ArrayBuffer[] {
  if (message.type !== "page" || message.message.type !== "snapshot") return [];
  return message.message.state.context ?? [];
}
