// The story of the sample session: Ana works on "ladle", her recipe-scaling web service. The acts, and what they show:
// 1 thirds       a first look (misses), the same failing run again (hits), an edit undone to the byte (invalidated),
//                a native stub, an error, an MCP tool
// 2 flaky        long logs with runs of lines in common, overlapping reads, a picture, a poll (hits), evicted results
// 3 helper       a subagent with a cache of its own and one hit
// 4 systems      a microcompaction (cleared), Write, an auto-compaction that keeps a tail (a hit; compacted)
// 5 rewind       a new prompt on an earlier line (rewound), the same MCP answer again (hit)
// 6 import       JSON polls that differ in two fields (near hits, if switched on), a replaced result (cleared)
// 7 after lunch  a context that shrank without a line (shrunk), a re-read after a stash (hit), a live hint (realised)

import { thirds } from "./acts/1-thirds.mjs";
import { flaky } from "./acts/2-flaky.mjs";
import { helper } from "./acts/3-helper.mjs";
import { systems } from "./acts/4-systems.mjs";
import { rewound } from "./acts/5-rewind.mjs";
import { cookbook } from "./acts/6-import.mjs";
import { afterLunch } from "./acts/7-after-lunch.mjs";
import { Session } from "./session.mjs";

/** The whole session as JSONL text. */
export function story() {
  const session = new Session();
  thirds(session);
  const logs = flaky(session);
  helper(session);
  systems(session, logs);
  rewound(session);
  cookbook(session);
  afterLunch(session);
  return `${session.log.lines.join("\n")}\n`;
}
