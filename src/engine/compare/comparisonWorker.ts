/** Comparisons on a thread of their own: no picture waits for them. */
import { parentPort } from "node:worker_threads";
import { comparisonOf } from "../../protocol/comparison.js";
import { reportOfAll } from "./allSessions.js";
import { Comparer } from "./comparer.js";
import type { ComparisonJob, FromComparison } from "./comparisonThread.js";

const comparer = new Comparer();

parentPort?.on("message", ({ id, job }: { readonly id: number; readonly job: ComparisonJob }) => {
  const tell = (message: FromComparison) => parentPort?.postMessage(message);
  const run = async () => {
    switch (job.name) {
      case "compare":
        return comparer.compare(job.session);
      case "passes":
        return comparer.passes(job.session);
      case "savings":
        return comparer.savings(job.session, job.strategy);
      case "runs":
        return comparer.runs(job.session, job.row, job.strategy);
      case "all": {
        const report = await reportOfAll(job.config, progress => tell({ id, progress }));
        return { ...comparisonOf(report), sessions: report.totals.sessions, gates: report.gates, sweep: report.sweep };
      }
    }
  };
  run().then(
    result => tell({ id, result }),
    (error: Error) => tell({ id, problem: error.message }),
  );
});
