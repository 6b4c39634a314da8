import type { Outcome } from "../../src/inspect/outcomes.js";
import { grouped } from "../../src/words/numbers.js";
import type { Family } from "./model/families.js";
import type { EventMark } from "./model/timelineModel.js";

/**
 * Every word of the timeline. `{name}` is filled in; a text with "|" has a form for one and a form for any other number
 * of its last placeholder. Plain data, so that a host can translate it and post it.
 */
export interface TimelineStrings {
  /** What a screen reader calls the widget. */
  readonly role: string;
  /** Read out when the widget gets focus. */
  readonly help: string;
  readonly empty: string;
  readonly results: string;
  readonly hits: string;
  readonly partitions: string;
  /** Full and short lane names; a narrow panel has room for two letters. */
  readonly families: Readonly<Record<Family, { readonly name: string; readonly short: string }>>;
  readonly partition: string;
  readonly partitionShort: string;
  readonly saved: string;
  readonly savedAxis: string;
  readonly hitsOf: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly tokens: string;
  readonly call: string;
  /** Which call it is, by itself. */
  readonly place: string;
  /** What a hit, a stub or a live hint points at. */
  readonly refersTo: string;
  /** What another way to save would leave out of it. */
  readonly wouldSave: string;
  readonly causedBy: string;
  readonly invalidatedBy: string;
  readonly invalidates: string;
  readonly pushedOut: string;
  readonly usedBy: string;
  readonly resultsFromTo: string;
  readonly viewFromTo: string;
  readonly events: Readonly<Record<EventMark["kind"], string>>;
  readonly dropped: string;
  readonly kept: string;
  readonly nothingThere: string;
}

export const timelineStrings: TimelineStrings = {
  role: "timeline",
  help:
    "Left and right arrow: previous and next result. Up and down: other tools. H: next hit, Shift+H: previous hit. " +
    "R: go to reference. Page up and page down: partitions. Plus, minus and 0: zoom. Enter: open. Escape: deselect.",
  empty: "No tool results yet",
  results: "{n} result|{n} results",
  hits: "{n} hit|{n} hits",
  partitions: "{n} partition|{n} partitions",
  families: {
    read: { name: "Read", short: "Re" },
    search: { name: "Search", short: "Se" },
    bash: { name: "Bash", short: "Ba" },
    edit: { name: "Edit", short: "Ed" },
    mcp: { name: "MCP", short: "MC" },
    agent: { name: "Agent", short: "Ag" },
    other: { name: "Other", short: "Ot" },
  },
  partition: "Partition {n}",
  partitionShort: "P{n}",
  saved: "{tokens} saved",
  savedAxis: "Saved",
  hitsOf: "{hits} of {results} result|{hits} of {results} results",
  outcomes: {
    hit: "Hit: identical to an earlier result",
    nearHit: "Near hit: almost identical to an earlier result",
    "miss:new": "Miss: new",
    "miss:evicted": "Miss: the earlier copy was evicted",
    "miss:invalidated": "Miss: the earlier copy was invalidated",
    "miss:compacted": "Miss: the earlier copy was compacted away",
    "miss:cleared": "Miss: the earlier copy was cleared",
    "miss:rewound": "Miss: the earlier copy was rewound",
    "miss:shrunk": "Miss: the context shrank since the earlier copy",
    "bypass:small": "Too small for a hint",
    "bypass:error": "Error",
    "bypass:nonText": "Not text",
    "bypass:native": "Unchanged: saved by Claude Code",
    "bypass:realised": "Saved by a live hint",
  },
  tokens: "{n} token|{n} tokens",
  call: "call {n}",
  place: "Call {n} · Partition {partition}",
  refersTo: "Refers to {call}, {distance} before",
  wouldSave: "{name}: {tokens} less ({share})",
  causedBy: "Lost to {call}",
  invalidatedBy: "Invalidated by {call}",
  invalidates: "Invalidates {n} earlier result|Invalidates {n} earlier results",
  pushedOut: "Pushes {call} out of the cache",
  usedBy: "Repeated by {n} later result|Repeated by {n} later results",
  resultsFromTo: "Results {from} to {to}",
  viewFromTo: "Showing results {from} to {to}",
  events: {
    boundary: "compacted",
    clear: "cleared",
    rewind: "rewound",
    shrink: "context shrank",
  },
  dropped: "{n} dropped",
  kept: "{n} kept",
  nothingThere: "Nothing there",
};

/** Fills in a text of the bag. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const forms = text.split("|");
  const counted = /.*\{(\w+)\}/.exec(text)?.[1];
  const one = counted !== undefined && values[counted] === 1;
  const form = (one ? forms[0] : forms.at(-1)) ?? text;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === "number" ? grouped(value) : (value ?? whole);
  });
}
