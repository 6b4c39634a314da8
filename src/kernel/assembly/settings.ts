/** The settings of the current replay. */
export let capacity: i32 = 0;
export let minBytes: f64 = 0;
export let verbosity: i32 = 0;
export let withRuns: bool = false;
export let spanMinBytes: f64 = 0;
export let withSweep: bool = false;
export let invalidatesByTool: bool = false;
export let withWays: bool = false;
export let withDetails: bool = false;

export function setSettings(
  newCapacity: i32,
  newMinBytes: f64,
  newVerbosity: i32,
  newWithRuns: bool,
  newSpanMinBytes: f64,
  newWithSweep: bool,
  newInvalidatesByTool: bool,
  newWithWays: bool,
  newWithDetails: bool,
): void {
  capacity = newCapacity;
  minBytes = newMinBytes;
  verbosity = newVerbosity;
  withRuns = newWithRuns;
  spanMinBytes = newSpanMinBytes;
  withSweep = newWithSweep;
  invalidatesByTool = newInvalidatesByTool;
  withWays = newWithWays;
  withDetails = newWithDetails;
}

/** Whether, according to the settings, a tool that has run makes another one's results stale. Done by the wrapper. */
export declare function isStale(tool: i32, other: i32): bool;

/** Whether the wrapper has the text of a context's result, which may be near another one. */
export declare function hasText(context: i32, fingerprint: i32): bool;

/** The characters of a near-reference without its id, and its bytes in the low eight bits; 0 if there is none. */
export declare function nearHint(context: i32, old: i32, fresh: i32): i32;
