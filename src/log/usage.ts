import { type Bytes, OPEN_BRACE } from "./bytes.js";
import { KeySet } from "./keys.js";
import { countAt } from "./values.js";
import { Walk } from "./walk.js";

/** What an API answer says about its own size, in tokens; 0 where it does not say. */
export interface Usage {
  /** Everything the model read: fresh, written to the cache and read from it. */
  readonly input: number;
  readonly output: number;
  readonly written5m: number;
  readonly written1h: number;
}

const KEYS = new KeySet([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
]);
const SPLIT_KEYS = new KeySet(["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"]);

const walk = new Walk();
const splitWalk = new Walk();

/** Reads the usage object at bytes[start, end). */
export function readUsage(bytes: Bytes, start: number, end: number): Usage {
  const counts = [0, 0, 0, 0];
  let [split5m, split1h] = [0, 0];
  if (start >= 0 && bytes[start] === OPEN_BRACE) walk.open(bytes, start, end);
  else return { input: 0, output: 0, written5m: 0, written1h: 0 };
  while (walk.next()) {
    const slot = KEYS.slotAt(bytes, walk.keyStart, walk.keyEnd);
    if (slot < 0) continue;
    if (slot < counts.length) counts[slot] = countAt(bytes, walk.valueStart, walk.skip());
    else if (bytes[walk.valueStart] === OPEN_BRACE) [split5m, split1h] = readSplit(bytes, walk, end);
  }
  const [fresh = 0, output = 0, writtenTotal = 0, read = 0] = counts;
  // The total could read 0 where only the split was sent.
  const written = Math.max(writtenTotal, split5m + split1h);
  return { input: fresh + written + read, output, written5m: written - split1h, written1h: split1h };
}

function readSplit(bytes: Bytes, outer: Walk, end: number): [number, number] {
  const counts: [number, number] = [0, 0];
  splitWalk.open(bytes, outer.valueStart, end);
  while (splitWalk.next()) {
    const slot = SPLIT_KEYS.slotAt(bytes, splitWalk.keyStart, splitWalk.keyEnd);
    if (slot >= 0) counts[slot] = countAt(bytes, splitWalk.valueStart, splitWalk.skip());
  }
  outer.skipTo(splitWalk);
  return counts;
}
