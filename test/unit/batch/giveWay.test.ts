import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../support/replay.js";

it.skipIf(process.platform !== "linux")(
  "a thread that gives way leaves the priority of the process as it is",
  async () => {
    const contents = `
    import { readlinkSync } from "node:fs";
    import { constants, getPriority } from "node:os";
    import { parentPort } from "node:worker_threads";
    import { giveWay } from "./src/batch/giveWay.js";
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    const before = getPriority(process.pid);
    giveWay();
    parentPort.postMessage([getPriority(thread), constants.priority.PRIORITY_LOW, getPriority(process.pid), before]);`;
    const stdin = { contents, resolveDir: REPOSITORY, loader: "ts" as const };
    const { outputFiles } = await build({ stdin, bundle: true, platform: "node", format: "cjs", write: false });
    const worker = new Worker(outputFiles[0]?.text ?? "", { eval: true });
    const [own, low, process_, before] = await new Promise<number[]>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    expect(own).toBe(low);
    expect(process_).toBe(before);
  },
);
