// `node scripts/passes.mjs PATH…`: what the passes would do to the live messages of real logs, and whether they obey
// their laws.
import { bundled } from "./bundled.mjs";

const {
  findLogs,
  readLog,
  agentOfFile,
  ConversationReader,
  projectPasses,
  projectCacheMarks,
  applyAll,
  repairOrphans,
} = await bundled(`
    export { findLogs } from "./src/tail/discover.ts";
    export { readLog } from "./src/files/openFile.ts";
    export { agentOfFile } from "./src/log/sessionFiles.ts";
    export { ConversationReader } from "./src/log/conversation/conversationReader.ts";
    export { projectPasses } from "./src/dedup/passes/projections.ts";
    export { projectCacheMarks } from "./src/dedup/passes/cacheProjection.ts";
    export { applyAll } from "./src/dedup/passes/applyAll.ts";
    export { repairOrphans } from "./src/dedup/passes/repairOrphans.ts";
  `);

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: node scripts/passes.mjs PATH…");
  process.exit(2);
}
/** The passes whose own byte count equals the difference in size. */
const EXACT = ["dedupToolOutputs", "pruneThinking", "pruneLowEntropy", "snippet", "collapseRepeatedCalls"];
const CHARS_PER_TOKEN = 2.6;
const READ_SHARE = 0.1;
const table = new Map();
const cache = { contexts: 0, marked: 0, requests: 0, hits: 0, couldRead: 0, didRead: 0 };
const broken = [];

for (const { path } of findLogs(paths).logs) {
  const reader = new ConversationReader({ agentOfFile: agentOfFile(path) });
  readLog(path, bytes => reader.push(bytes));
  for (const [context, conversation] of reader.contexts) inspect(`${path} ${context}`, context, conversation.live());
}

function inspect(name, context, { messages, requests }) {
  if (messages.length === 0) return;
  const lastRead = requests.findLast(({ input }) => input > 0)?.cacheRead ?? 0;
  for (const one of projectPasses(messages, requests, { charsPerToken: CHARS_PER_TOKEN, readShare: READ_SHARE })) {
    const saved = one.bytesBefore - one.bytesAfter;
    if (EXACT.includes(one.pass) && saved !== one.stats.totalBytesSaved) broken.push(`${name}: ${one.pass} miscounts`);
    if (one.rewrittenTokens > lastRead) broken.push(`${name}: ${one.pass} loses more than was cached`);
    add(one.keepLast === null ? one.pass : `${one.pass} ${one.keepLast}`, one, saved);
  }
  for (const keepLast of [0, 8]) {
    const once = applyAll(repairOrphans(messages).messages, { keepLast }).messages;
    if (JSON.stringify(applyAll(once, { keepLast }).messages) !== JSON.stringify(once))
      broken.push(`${name}: not once`);
    if (repairOrphans(once).stats.snippetHits > 0) broken.push(`${name}: an orphan is left`);
  }
  const use = projectCacheMarks(messages, requests, { charsPerToken: CHARS_PER_TOKEN, subagent: context !== "main" });
  cache.contexts++;
  if (use.applied) cache.marked++;
  cache.requests += use.requests;
  cache.hits += use.hits;
  cache.couldRead += use.couldReadTokens ?? 0;
  cache.didRead += use.didReadTokens ?? 0;
}

function add(key, { firstChanged, stats, bytesBefore, rewrittenTokens, breakEvenRequests }, saved) {
  const row = table.get(key) ?? { changed: 0, hits: 0, bytes: 0, saved: 0, rewritten: 0, waits: [] };
  table.set(key, row);
  if (firstChanged !== null) row.changed++;
  row.hits += stats.dedupHits + stats.snippetHits;
  row.bytes += bytesBefore;
  row.saved += saved;
  row.rewritten += rewrittenTokens ?? 0;
  if (breakEvenRequests !== null) row.waits.push(breakEvenRequests);
}

console.table(
  Object.fromEntries(
    [...table].map(([pass, { changed, hits, bytes, saved, rewritten, waits }]) => [
      pass,
      {
        "contexts changed": changed,
        hits,
        "saved bytes": saved,
        "saved %": Number(((100 * saved) / bytes).toFixed(2)),
        "cached tokens rewritten": rewritten,
        "median requests to break even": waits.sort((left, right) => left - right)[waits.length >> 1] ?? "–",
      },
    ]),
  ),
);
console.log(
  `${cache.contexts} contexts, ${cache.marked} would be marked; ${cache.hits} of ${cache.requests} requests read from the` +
    ` cache, ${((100 * cache.didRead) / cache.couldRead).toFixed(1)} % of what they could`,
);
for (const law of broken) console.error(law);
console.log(`${broken.length} laws broken`);
process.exitCode = broken.length === 0 ? 0 : 1;
