/** What the wrapper (src/kernel/kernel.ts) requests besides figures, and its callbacks. */
export let withSweep: bool = false;
export let withWays: bool = false;
export let withDetails: bool = false;

export function askFor(sweep: bool, ways: bool, details: bool): void {
  withSweep = sweep;
  withWays = ways;
  withDetails = details;
}

/** Whether, according to the settings, a tool that has run makes another one's results stale. */
export declare function isStale(tool: i32, other: i32): bool;

/** Whether the wrapper has the text of a context's result, which may be near another one. */
export declare function hasText(context: i32, fingerprint: i32): bool;

/** The characters of a near-reference without its id, and its bytes in the low eight bits; 0 if there is none. */
export declare function nearHint(context: i32, old: i32, fresh: i32): i32;
