/** The engine on a thread of its own. */
import { parentPort } from "node:worker_threads";
import { Engine } from "./engine.js";
import type { ToEngine } from "./engineMessages.js";

const engine = new Engine(message => parentPort?.postMessage(message));

parentPort?.on("message", (message: ToEngine) => {
  if (message.type === "stop") void engine.stop().then(() => process.exit(0));
  else engine.take(message);
});
