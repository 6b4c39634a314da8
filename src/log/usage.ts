import { membersOf } from "./record.js";

/** What an API answer says about its own size, in tokens; 0 where it does not say. */
export interface Usage {
  /** Everything the model read: fresh, written to the cache and read from it. */
  readonly input: number;
  readonly output: number;
  readonly written5m: number;
  readonly written1h: number;
}

export function readUsage(value: unknown): Usage {
  const usage = membersOf(value);
  const split = membersOf(usage["cache_creation"]);
  const split5m = count(split["ephemeral_5m_input_tokens"]);
  const split1h = count(split["ephemeral_1h_input_tokens"]);
  // The total could read 0 where only the split was sent.
  const written = Math.max(count(usage["cache_creation_input_tokens"]), split5m + split1h);
  return {
    input: count(usage["input_tokens"]) + written + count(usage["cache_read_input_tokens"]),
    output: count(usage["output_tokens"]),
    written5m: written - split1h,
    written1h: split1h,
  };
}

/** More digits than any count of tokens: such a number is nonsense, and sums of it would lose their precision. */
const TOO_MANY = 1e15;

/** A count of tokens. It is untrusted: anything but a whole number counts as 0. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value < TOO_MANY ? value : 0;
}
