// The story of the sample session: Ana works on "ladle", her recipe-scaling web service. It is a typical
// session: few results repeat as a whole, many have lines that were read before.
// 1 thirds   two bugs: files read, edited and read again in part, the tests run three times, an MCP tool
// 2 systems  a feature: a subagent, a Read after a Write, an Edit that fails, a command that the user interrupts
// 3 page     after /compact: a file that was read before it, two long logs with much in common, `cat` after Read
// 4 docs     two subagents at a time
// 5 import   JSON that differs in a few values, the tests run again with nothing changed

import { thirds } from "./acts/1-thirds.mjs";
import { systems } from "./acts/2-systems.mjs";
import { page } from "./acts/3-page.mjs";
import { docs } from "./acts/4-docs.mjs";
import { cookbook } from "./acts/5-import.mjs";
import { Session } from "./session.mjs";

/** The whole session: each file's path beside or below the log, and its text. @returns {Map<string, string>} */
export function story() {
  const session = new Session();
  thirds(session);
  systems(session);
  page(session);
  docs(session);
  cookbook(session);
  const files = new Map([["sample.jsonl", textOf(session.log)]]);
  for (const { id, toolId, task, log } of session.agents) {
    const { type: agentType, description } = task;
    const about = { agentType, isBuiltIn: true, launchedWithDefaults: true, description, toolUseId: toolId };
    const meta = { ...about, spawnDepth: 1, requestShape: "background", requestNonInteractive: true, finished: true };
    files.set(`sample/subagents/agent-${id}.jsonl`, textOf(log));
    files.set(`sample/subagents/agent-${id}.meta.json`, JSON.stringify(meta));
  }
  return files;
}

/** @param {import("./lines.mjs").Log} log */
function textOf(log) {
  return `${log.lines.join("\n")}\n`;
}
