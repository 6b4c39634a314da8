/** The comparison thread. */
import { parentPort } from "node:worker_threads";
import { handle, replyTo } from "../../protocol/channel.js";
import { comparisonOf } from "../../protocol/comparison.js";
import type { Progress } from "../../protocol/messages.js";
import type { ComparisonRequests, Handlers } from "../../protocol/requests.js";
import { reportOfAll, trialOfAll } from "./allSessions.js";
import { Comparer } from "./comparer.js";
import type { FromComparison, ToComparison } from "./comparisonThread.js";

const comparer = new Comparer();
const post = (message: FromComparison) => parentPort?.postMessage(message);

const handlers: Handlers<ComparisonRequests> = {
  strategies: ({ session }) => comparer.compare(session),
  passes: ({ session }) => comparer.passes(session),
  savings: ({ session, strategy }) => comparer.savings(session, strategy),
  emission: ({ session, row, strategy }) => comparer.emission(session, row, strategy),
  all: async ({ logs }) => {
    const advanced = (progress: Progress) => post({ type: "progress", progress });
    const report = await reportOfAll(logs, { advanced, withTrial: true });
    const { totals, gates, sweep, trial = null, settings } = report;
    return { ...comparisonOf(report), sessions: totals.sessions, gates, sweep, trial, capacity: settings.capacity };
  },
  trial: ({ logs }) => trialOfAll(logs),
};

parentPort?.on("message", ({ id, ask }: ToComparison) => {
  void replyTo(id, () => handle(handlers, ask)).then(post);
});
