/** The settings of the present replay. */
export let capacity: i32 = 0;
export let minBytes: f64 = 0;
export let verbosity: i32 = 0;
export let withRuns: bool = false;
export let spanMinBytes: f64 = 0;
export let withSweep: bool = false;
export let invalidatesByTool: bool = false;

export function setSettings(
  newCapacity: i32,
  newMinBytes: f64,
  newVerbosity: i32,
  newWithRuns: bool,
  newSpanMinBytes: f64,
  newWithSweep: bool,
  newInvalidatesByTool: bool,
): void {
  capacity = newCapacity;
  minBytes = newMinBytes;
  verbosity = newVerbosity;
  withRuns = newWithRuns;
  spanMinBytes = newSpanMinBytes;
  withSweep = newWithSweep;
  invalidatesByTool = newInvalidatesByTool;
}

/** Whether the settings say that a tool which has run makes another one's results stale. The wrapper tells. */
export declare function isStale(tool: i32, other: i32): bool;
