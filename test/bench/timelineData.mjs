// A made-up session for the timeline's benchmark and screenshots: the same seed gives the same session.
import { outcomeCode } from "../../src/inspect/outcomes.ts";
import { ResultRows } from "../../src/inspect/rows.ts";
import { packedRow } from "../support/rows.ts";

const TOOLS = [
  ["Read", 0.36],
  ["Bash", 0.24],
  ["Edit", 0.14],
  ["Grep", 0.09],
  ["Glob", 0.03],
  ["mcp__ci__run", 0.07],
  ["Agent", 0.03],
  ["TodoWrite", 0.04],
];

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Appends `count` results to a session; call it again on the same session to make it grow. */
export function makeSession({ seed = 7, partitionEvery = 150, usualHitShare = 0.08 } = {}) {
  const random = randomFrom(seed);
  const session = {
    rows: new ResultRows(),
    tools: TOOLS.map(([tool]) => tool),
    targets: [],
    marks: [],
    partitionRequests: [0],
    requests: [],
    charsPerToken: 3.4,
    version: 0,
  };
  let at = Date.parse("2026-03-02T09:12:00Z") / 1000;
  let partition = 0;
  let sinceBoundary = 0;
  /** Rows that a hint may point at, newest last. */
  let held = [];

  const mark = (kind, more) =>
    session.marks.push({
      kind,
      position: session.rows.length,
      line: session.rows.length * 3,
      at: new Date(at * 1000).toISOString(),
      partition,
      dropped: [],
      ...more,
    });

  function append(count) {
    for (let i = 0; i < count; i++) addResult();
    session.version++;
    return session;
  }

  function addResult() {
    const row = session.rows.length;
    at += random() < 0.01 ? 600 + random() * 3000 : random() * 25;
    if (sinceBoundary++ > partitionEvery * (0.7 + random() * 0.6)) {
      partition++;
      sinceBoundary = 0;
      session.partitionRequests[partition] = 0;
      const kept = held.slice(-2);
      const dropped = held.slice(0, -2);
      mark("boundary", { dropped, kept, trigger: "auto", preTokens: 167_200, postTokens: 12_100 });
      held = kept;
    } else if (random() < 0.004) {
      mark(["rewind", "shrink", "clear"][Math.floor(random() * 3)], { dropped: held.splice(0, 2) });
    }
    // Work comes in phases: reading, then changing and trying out.
    const phase = Math.sin(row / 61) + Math.sin(row / 1700) + Math.sin(row / 9100);
    const weights = TOOLS.map(
      ([name, share]) => share * (name === "Edit" ? Math.exp(phase) : name === "Read" ? Math.exp(-phase) : 1),
    );
    let pick = random() * weights.reduce((sum, weight) => sum + weight, 0);
    const tool = TOOLS.findIndex((_, index) => {
      pick -= weights[index];
      return pick < 0;
    });
    add(row, Math.max(0, tool), Math.max(0, 1 + Math.sin(row / 4000) + 0.6 * Math.sin(row / 140)));
  }

  function add(row, tool, repeats) {
    const name = TOOLS[tool][0];
    const chars = Math.round(name === "Edit" ? 160 : 120 + random() ** 4 * 60_000);
    const luck = random();
    const hitShare = usualHitShare * repeats;
    let outcome = "miss:new";
    let ref = -1;
    let cause = -1;
    let savedChars = 0;
    let invalidations = 0;
    if (name === "Edit") {
      outcome = random() < 0.05 ? "bypass:error" : "bypass:small";
      if (outcome === "bypass:small" && random() < 0.3 && held.length > 0) {
        const gone = held.splice(Math.max(0, held.length - 1 - Math.floor(random() * 12)), 1);
        mark("invalidate", { dropped: gone, by: "path" });
        invalidations = 1;
      }
    } else if (luck < hitShare && held.length > 0) {
      ref = held[Math.max(0, held.length - 1 - Math.floor(random() * 20))];
      outcome = luck < hitShare * 0.8 ? "hit" : "nearHit";
      savedChars = chars - 40;
    } else if (luck < hitShare + 0.03 && held.length > 0) {
      ref = held.at(-1);
      outcome = luck < hitShare + 0.02 ? "bypass:native" : "bypass:realised";
      savedChars = 3000;
    } else if (luck < hitShare + 0.06) {
      outcome = "bypass:error";
    } else if (chars < 400) {
      outcome = luck < 0.95 ? "bypass:small" : "bypass:nonText";
    } else if (luck < hitShare + 0.15) {
      cause = luck < hitShare + 0.11 ? lastEdit() : -1;
      outcome = cause >= 0 ? "miss:invalidated" : "miss:evicted";
    }
    if (outcome.startsWith("miss:")) held = [...held.slice(-30), row];
    // A request before each result, carrying everything since the last compaction.
    session.requests.push(partition, 12_000 + sinceBoundary * 1000, Math.floor(at), 300);
    session.partitionRequests[partition]++;
    session.rows.append(
      packedRow({
        line: row * 3,
        at: Math.floor(at),
        partition,
        request: session.partitionRequests[partition],
        outcome: outcomeCode(outcome),
        bytes: chars,
        chars,
        savedChars,
        tool,
        ref: ref + 1,
        cause: cause + 1,
        invalidations,
      }),
    );
    session.targets.push(name === "Bash" ? "go test ./src/segments/..." : `src/segments/git_${row % 37}.go`);
  }

  function lastEdit() {
    for (let row = session.rows.length - 1; row > session.rows.length - 30 && row >= 0; row--) {
      if (session.rows.get(row, "tool") === 2) return row;
    }
    return -1;
  }

  return { session, append };
}
