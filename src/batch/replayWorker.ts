/** One more thread of the replay pool. */
import { parentPort, workerData } from "node:worker_threads";
import type { LogData } from "../inspect/logData.js";
import { noFigures } from "../kernel/kernel.js";
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

function withRowsOnly(data: LogData): LogData {
  return { ...data, contexts: data.contexts.map(({ id, model, rows }) => ({ ...noFigures(id, false), model, rows })) };
}

if (!shared.isUrgent) giveWay();
takeTurns(shared, {
  advance: bytes => {
    unreported += bytes;
    if (unreported >= REPORT_EVERY_BYTES) reportBytes();
  },
  done: ({ data, ...rest }) => {
    reportBytes();
    const replayed = { ...rest, ...(data && { data: shared.job.onlyRows ? withRowsOnly(data) : data }) };
    const contexts = data?.contexts ?? [];
    const rows = contexts.flatMap(({ rows, strategies }) => (strategies ? [rows, strategies] : [rows]));
    send(
      { kind: "done", replayed },
      rows.map(({ buffer }) => buffer),
    );
  },
});
