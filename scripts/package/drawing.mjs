// The sample session's timeline as text art: on an extension's page VS Code only loads images from the network, shows
// others as broken, and allows no colours.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Results in a row: as many as fit within the page's margins. */
const COLUMNS = 72;
const LANES = new Map([
  ["Read", ["Read"]],
  ["Bash", ["Bash"]],
  ["Search", ["Grep", "Glob"]],
  ["Edit", ["Edit", "Write", "MultiEdit", "NotebookEdit"]],
]);
const MARKS = {
  hit: { sign: "●", words: "a hint would do" },
  partial: { sign: "◐", words: "a hint would do for part of it" },
  missed: { sign: "×", words: "the model had it, but no longer" },
  saved: { sign: "◆", words: "already saved" },
  plain: { sign: "·", words: "any other result" },
  boundary: { sign: "┃", words: "a compaction" },
};

/** @returns {keyof typeof MARKS | undefined} */
function markOf({ kind, why, reason, runs }) {
  if (kind === "boundary") return "boundary";
  if (kind === "hit" || kind === "nearHit") return "hit";
  if (kind === "miss" && runs?.length > 0) return "partial";
  if (kind === "miss") return why === "new" ? "plain" : "missed";
  if (kind !== "bypass") return undefined;
  return reason === "native" || reason === "realised" ? "saved" : "plain";
}

/** The events of the sample's main conversation, as the report has them. */
function eventsIn(folder) {
  const home = mkdtempSync(join(tmpdir(), "dedup-drawing-"));
  try {
    const args = ["dist/cli.js", "report", "media/sample.jsonl", "--json", "--events", "--no-cache"];
    const options = { cwd: folder, env: { HOME: home }, encoding: "utf8", maxBuffer: 2 ** 26 };
    return JSON.parse(execFileSync(process.execPath, args, options)).sessions[0].contexts[0].events;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Markdown: a lane for each kind of tool, for the busiest part of the session.
 * @param {string} folder a repository that has been built
 */
export function drawing(folder) {
  const all = eventsIn(folder).filter(event => markOf(event) !== undefined);
  const isTold = event => markOf(event) !== "plain";
  const told = all.slice(COLUMNS).map((_, at) => all.slice(at, at + COLUMNS).filter(isTold).length);
  const begin = told.indexOf(Math.max(...told));
  const lanes = [...LANES].map(([name, tools]) => {
    const signs = all.slice(begin, begin + COLUMNS).map(event => {
      const isHere = event.kind === "boundary" || tools.includes(event.tool);
      return isHere ? MARKS[markOf(event)].sign : " ";
    });
    return `${name.padEnd(8)}${signs.join("").trimEnd()}`;
  });
  const isDrawn = ({ sign }) => lanes.some(lane => lane.includes(sign));
  const legend = Object.values(MARKS)
    .filter(isDrawn)
    .map(({ sign, words }) => `${sign} ${words}`);
  const lines = [...lanes, "", legend.slice(0, 2).join("   "), legend.slice(2).join("   ")];
  return ["```text", ...lines, "```"].join("\n");
}
