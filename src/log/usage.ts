import { membersOf } from "./record.js";

/** The usage that the API reports for a request, in tokens; 0 if missing. */
export interface Usage {
  /** All input tokens: uncached, written to and read from the cache. */
  readonly input: number;
  readonly output: number;
  /** The part of `input` that was read from the cache. */
  readonly cacheRead: number;
  readonly written5m: number;
  readonly written1h: number;
}

export function readUsage(value: unknown): Usage {
  const usage = membersOf(value);
  const split = membersOf(usage["cache_creation"]);
  const split5m = count(split["ephemeral_5m_input_tokens"]);
  const split1h = count(split["ephemeral_1h_input_tokens"]);
  // The total may be 0 if only the split was sent.
  const written = Math.max(count(usage["cache_creation_input_tokens"]), split5m + split1h);
  const cacheRead = count(usage["cache_read_input_tokens"]);
  return {
    input: count(usage["input_tokens"]) + written + cacheRead,
    output: count(usage["output_tokens"]),
    cacheRead,
    written5m: written - split1h,
    written1h: split1h,
  };
}

/** The prompt cache's lifetime, by the last request in the log's text that wrote to it; quotes in texts are escaped. */
export function cacheSecondsIn(log: string): number | undefined {
  const [, life] = [...log.matchAll(/"ephemeral_(5m|1h)_input_tokens":[1-9]/g)].at(-1) ?? [];
  return life === undefined ? undefined : life === "1h" ? 3600 : 300;
}

/** Larger numbers are nonsense, and their sums would lose precision. */
const TOO_MANY = 1e15;

/** Untrusted: anything but a sensible whole number counts as 0. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < TOO_MANY ? value : 0;
}
