/** Texts of the timeline only: see strings.ts. */
export const timelineStrings = {
  label: "Timeline of results",
  /** What a screen reader calls the widget. */
  role: "timeline",
  /** Read out when the widget gets focus. */
  help:
    "Left and right arrow: previous and next result. Up and down: other tools. H: next repeat, Shift+H: previous repeat. " +
    "R: go to reference. Page up and page down: partitions. Plus, minus and 0: zoom. Enter: open. Escape: deselect.",
  empty: "No tool results yet",
  /** Full and short lane names; a narrow panel has room for two letters. */
  families: {
    read: { name: "Read", short: "Re" },
    search: { name: "Search", short: "Se" },
    bash: { name: "Bash", short: "Ba" },
    edit: { name: "Edit", short: "Ed" },
    mcp: { name: "MCP", short: "MC" },
    agent: { name: "Agent", short: "Ag" },
    other: { name: "Other", short: "Ot" },
  },
  partitionShort: "P{number}",
  saved: "{tokens} could be saved",
  savedAxis: "To save",
  contextAxis: "Context",
  /** After a result. */
  contextSize: "Context after it: {tokens}",
  repeatsOf: "{repeats} of {results} repeats|{repeats} of {results} repeat",
  place: "Call {number} · Partition {partition}",
  refersTo: "Refers to {call}, {distance} earlier",
  partly: "{share} in {calls}",
  /** What another strategy would save. */
  wouldSave: "{name}: {tokens} less ({share})",
  causedBy: "Lost because of {call}",
  invalidatedBy: "Invalidated by {call}",
  invalidates: "Invalidates {n} earlier result|Invalidates {n} earlier results",
  usedBy: "Repeated by {n} later result|Repeated by {n} later results",
  resultsFromTo: "Results {from} to {to}",
  viewFromTo: "Showing results {from} to {to}",
  dropped: "{n} dropped",
  kept: "{n} kept",
  nothingThere: "Nothing there",
} as const;
