/** One more thread of the replay pool. */
import { parentPort, workerData } from "node:worker_threads";
import { giveWay } from "./giveWay.js";
import { type FromWorker, type SharedJob, takeTurns } from "./replayPool.js";

const REPORT_EVERY_BYTES = 8 * 1024 * 1024;
const shared: SharedJob = workerData;
let unreported = 0;

function send(message: FromWorker, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

function reportBytes(): void {
  send({ kind: "advance", bytes: unreported });
  unreported = 0;
}

if (!shared.isUrgent) giveWay();
takeTurns(shared, {
  advance: bytes => {
    unreported += bytes;
    if (unreported >= REPORT_EVERY_BYTES) reportBytes();
  },
  done: replayed => {
    reportBytes();
    const contexts = replayed.data?.contexts ?? [];
    const rows = contexts.flatMap(({ rows, strategies }) => (strategies ? [rows, strategies] : [rows]));
    send(
      { kind: "done", replayed },
      rows.map(({ buffer }) => buffer),
    );
  },
});
