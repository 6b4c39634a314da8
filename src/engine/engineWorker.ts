/** The engine's thread. */
import { parentPort } from "node:worker_threads";
import { Engine } from "./engine.js";
import type { FromEngine, ToEngine } from "./engineMessages.js";

const engine = new Engine(message => parentPort?.postMessage(message, transferred(message)));

parentPort?.on("message", (message: ToEngine) => {
  if (message.type !== "stop") return engine.take(message);
  engine.stop();
  process.exit(0);
});

/** A snapshot's bytes are transferred, not copied. */
function transferred(message: FromEngine): readonly ArrayBuffer[] {
  if (message.type !== "page" || message.message.type !== "snapshot") return [];
  return message.message.state.context ?? [];
}
