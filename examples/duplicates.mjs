// A custom report: how much of the tool results in your logs repeats, counted in six ways, and how far back the earlier
// text is. `node examples/duplicates.mjs [--json] PATH…` takes logs, and folders of them.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DedupCache, fingerprint, LogReader, Replay, renderHint } from "dedup-inspector";

/** All of them ignore shorter texts. */
const MIN_LENGTH = 200;
const CAPACITIES = [1, 2, 3, 5, 10, 32];

/** What one way of counting finds. Sizes are in characters: only their ratios are shown. */
class Count {
  results = 0;
  chars = 0;
  hits = 0;
  saved = 0;

  result({ body }) {
    this.results++;
    this.chars += body.length;
  }

  hit(saved) {
    this.hits++;
    this.saved += saved;
  }

  get figures() {
    return { hits: this.hits, ofResults: ratio(this.hits, this.results), ofText: ratio(this.saved, this.chars) };
  }
}

/**
 * Like the simulation in devboy's paper: a FIFO of the last five texts; hits do not refresh an entry. Errors count,
 * results under 200 characters are ignored, and a hint costs 15 tokens of 4 characters.
 */
class Simulated {
  count = new Count();
  #queue = [];

  begin() {
    this.#queue = [];
  }

  take(result) {
    const { body, kind, path } = result;
    if (body.length < MIN_LENGTH) return;
    this.count.result(result);
    if (kind === "mutate") this.#queue = this.#queue.filter(one => one.kind !== "read" || one.path !== path);
    if (this.#queue.some(one => one.body === body)) return this.count.hit(body.length - 15 * 4);
    this.#queue = [...this.#queue, { body, kind, path }].slice(-5);
  }
}

/** What devboy's edits make stale besides the file itself: everything that these tools returned. */
const STALE = {
  Edit: ["Read", "Grep"],
  MultiEdit: ["Read", "Grep"],
  Write: ["Read", "Grep", "Glob"],
  NotebookEdit: ["Read"],
};

/** Like devboy's server: one cache that knows about compactions. Errors are ignored, short results count as results. */
class Shipped {
  count = new Count();
  #cache = new DedupCache(5);

  begin() {
    this.#cache.compact();
  }

  take(result) {
    const { id, tool, kind, path, body, error } = result;
    this.count.result(result);
    if (error) return;
    if (kind === "mutate" && path !== undefined) this.#cache.invalidateFile(path);
    if (Buffer.byteLength(body) < MIN_LENGTH) return;
    const text = fingerprint(body);
    // Its ids have eight digits.
    if (this.#cache.check(text)) return this.count.hit(body.length - renderHint({ id: "12345678" }).length);
    this.#cache.insert({ id, tool, kind, path, fingerprint: text });
    this.#cache.invalidateByTool(STALE[tool] ?? []);
  }
}

/** Any text that occurred earlier in the same log, whatever has happened since: an upper bound for any strategy. */
class Anything {
  count = new Count();
  /** The texts of a log, the most recent last. */
  #texts = new Set();
  /** For each repetition, how many different texts one must remember to find it, and its size. */
  #found = [];

  begin(isNewLog) {
    if (isNewLog) this.#texts.clear();
  }

  take(result) {
    const { body } = result;
    this.count.result(result);
    if (body.length < MIN_LENGTH) return;
    if (this.#texts.has(body)) {
      this.#found.push({ distance: [...this.#texts].reverse().indexOf(body) + 1, saved: body.length });
      this.count.hit(body.length);
      this.#texts.delete(body);
    }
    this.#texts.add(body);
  }

  /** The part of it that a cache of this capacity would find. */
  within(capacity) {
    const saved = this.#found.filter(({ distance }) => distance <= capacity).reduce((sum, one) => sum + one.saved, 0);
    return ratio(saved, this.count.saved);
  }
}

function ratio(part, whole) {
  return whole === 0 ? null : part / whole;
}

/** Logs at a path: a file, or all non-empty files below a folder. */
function logsIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true }).filter(name => name.endsWith(".jsonl"));
  const files = names.sort().map(name => join(path, name));
  return files.filter(file => statSync(file).size > 0);
}

function reportOn(files) {
  const [simulated, shipped, anything] = [new Simulated(), new Shipped(), new Anything()];
  const ways = [simulated, shipped, anything];
  const replay = new Replay();
  for (const file of files) {
    const log = readFileSync(file);
    const sink = replay.log(file);
    sink.push(log);
    sink.end();
    for (const way of ways) way.begin(true);
    const reader = new LogReader(
      (_, fact) => {
        if (fact.fact === "boundary") for (const way of ways) way.begin(false);
        if (fact.fact === "result" && fact.body !== null) for (const way of ways) way.take(fact);
      },
      { path: file },
    );
    reader.push(log);
  }
  const { totals, sweep, sessions, settings } = replay.report();
  const at = capacity => sweep.find(point => point.capacity === capacity);
  const here = ({ hits, savedBytes }) => ({
    hits,
    ofResults: ratio(hits, totals.results),
    ofText: ratio(savedBytes, totals.bytes),
  });
  return {
    basis: { logs: files.length, sessions: sessions.length, results: totals.results, bytes: totals.bytes },
    duplicates: {
      "devboy, as simulated for its paper": simulated.count.figures,
      "devboy, as shipped": shipped.count.figures,
      "any text that the log has had before": anything.count.figures,
      "Dedup Inspector, without a limit": here(at(null)),
      [`Dedup Inspector, capacity ${settings.capacity}`]: here(at(settings.capacity)),
      "the same, with runs of lines": here({ hits: totals.hits + totals.runHits, savedBytes: totals.savedBytes }),
    },
    within: CAPACITIES.map(capacity => ({
      capacity,
      anything: anything.within(capacity),
      here: ratio(at(capacity).savedTokens, at(null).savedTokens),
    })),
  };
}

function print({ basis, duplicates, within }) {
  const percent = (share, digits = 2) => (share === null ? "–" : `${(100 * share).toFixed(digits)} %`).padStart(9);
  console.log(`${basis.logs} logs, ${basis.sessions} sessions, ${basis.results} results, ${basis.bytes} bytes\n`);
  console.log(
    `${"Repeated whole results".padEnd(40)}${"Results".padStart(9)}${"Share".padStart(9)}${"Of text".padStart(9)}`,
  );
  for (const [way, { hits, ofResults, ofText }] of Object.entries(duplicates)) {
    console.log(`${way.padEnd(40)}${String(hits).padStart(9)}${percent(ofResults)}${percent(ofText)}`);
  }
  console.log(`\n${"Found among the last".padEnd(22)}${"of any text".padStart(12)}${"of what we save".padStart(17)}`);
  for (const { capacity, anything, here } of within) {
    console.log(`${String(capacity).padEnd(22)}${percent(anything, 0).padStart(12)}${percent(here, 0).padStart(17)}`);
  }
}

const args = process.argv.slice(2);
const files = args.filter(arg => arg !== "--json").flatMap(logsIn);
if (files.length === 0) {
  console.error("usage: node examples/duplicates.mjs [--json] PATH…");
  process.exit(2);
}
const report = reportOn(files);
if (args.includes("--json")) console.log(JSON.stringify(report, null, 2));
else print(report);
