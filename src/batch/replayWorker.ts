/** One more thread of the replay pool. */
import { parentPort, workerData } from "node:worker_threads";
import { type PoolJob, takeTurns } from "./replayPool.js";

const { job, order, turn } = workerData as { job: PoolJob; order: Int32Array; turn: Int32Array };
const REPORT_EVERY_BYTES = 8 * 1024 * 1024;
let unreported = 0;

takeTurns(job, order, turn, {
  advance: bytes => {
    unreported += bytes;
    if (unreported < REPORT_EVERY_BYTES) return;
    parentPort?.postMessage({ advance: unreported });
    unreported = 0;
  },
  done: replayed => {
    const packed = (replayed.data?.contexts ?? []).flatMap(({ rows, strategies }) =>
      strategies === undefined ? [rows.buffer] : [rows.buffer, strategies.buffer],
    );
    parentPort?.postMessage({ advance: unreported });
    parentPort?.postMessage(replayed, packed);
    unreported = 0;
  },
});
