import { comparisonStrings } from "./comparisonStrings.js";
import { eventStrings } from "./eventStrings.js";
import { grouped } from "./numbers.js";
import { strategyStrings } from "./strategyStrings.js";

/**
 * Every text that the page shows, as plain data: a host may hand over a translation as it hands over anything else.
 * `{name}` is filled in; `one|many` are the two forms of a counted thing.
 */
export const strings = {
  ...eventStrings,
  ...comparisonStrings,
  ...strategyStrings,
  app: {
    unknown: "not known",
    unknownTool: "unknown tool",
    call: "call {number}",
    back: "Back",
    dismiss: "Dismiss",
    failed: "{what}: {why}",
    connectionLost:
      "The connection to Dedup Inspector is lost. Trying again… If it was started anew, open the address it has printed.",
  },
  bar: {
    session: "Session",
    chooseSession: "Choose a session",
    filterSessions: "Filter by project or title",
    noMatch: "Nothing matches",
    noTitle: "Untitled session",
    sample: "Sample",
    isSample: "The bundled sample session: it counts for nothing in your figures",
    live: "Live",
    isLive: "This session is being written to",
    ended: "Ended",
    isEnded: "This session has not been written to for some minutes",
    savedOf: "{saved} saved · {results}",
    context: "Conversation",
    chooseContext: "Choose the main conversation or a subagent",
    filterContexts: "Filter by name",
    main: "main",
    subagent: "agent {id}",
    mainWith: "main · {subagents}",
    subagents: "{n} subagent|{n} subagents",
    follow: "Follow",
    following: "Following",
    followHint: "Show the newest live session by itself",
    unfollowHint: "Stay on this session",
    axis: "Order by",
    order: "Order",
    orderHint: "One step per result",
    time: "Time",
    timeHint: "By the clock, pauses included",
    partition: "Partition",
    allPartitions: "All partitions",
    partitionNumber: "Partition {number}",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fitAll: "Show all",
    more: "More actions",
    exportReport: "Export report…",
    showRuns: "Show runs of lines in the timeline",
    hideSavings: "Show hits only in the timeline",
    openSettings: "Open settings",
    turnLiveHintsOn: "Turn live hints on…",
    turnLiveHintsOff: "Turn live hints off…",
    openSample: "Open the sample session",
    now: "now",
    minutes: "{n} min",
    hours: "{n} h",
    days: "{n} d",
    months: "{n} mo",
  },
  figures: {
    label: "Figures",
    tokens: "{value} tokens",
    hits: "{n} hit|{n} hits",
    requests: "{n} request|{n} requests",
    results: "{n} result|{n} results",
    listThem: "Select to list them.",
    saved: "Hints would save",
    savedBasis: "{band} · {share} of results",
    band: "± {error}",
    noBand: "± not known",
    savedAbout:
      "What the model would not have had to read if every repeated result had been a one-line hint at the first one. " +
      "Tokens are characters ÷ {ratio}. {calibration}",
    bySession: "That ratio was measured on {samples} of this session; half of its estimates are within {error}.",
    byModel: "That ratio was measured on {samples} of other sessions with the same model; half are within {error}.",
    byDefault: "This session says too little to measure the ratio, so it is a usual one and its error is not known.",
    bySetting: "You set that ratio, so its error is not known.",
    samples: "{n} request|{n} requests",
    carried: "Carried over {requests}",
    carriedBasis: "saved × the requests after it",
    carriedAbout:
      "A result is sent again with every later request until its partition ends. This is each saved token times the " +
      "requests that really followed; most of them are read at the cheap cache price. Never add it to the saving.",
    native: "Claude Code saved",
    nativeBasis: "{n} unchanged re-read|{n} unchanged re-reads",
    nativeAbout:
      "Claude Code itself answers an unchanged re-read of a file with a short stub. This is the text that those stubs " +
      "stand for. It is saved already and no part of what hints would save.",
    nativeUnknown: "The log has stubs, but not the results they stand for.",
    realised: "Live hints saved",
    realisedBasis: "{n} hint|{n} hints",
    realisedShare: "{hints} · {share} of what repeats",
    realisedNone: "no live hint in this log",
    realisedOff: "live hints are off",
    realisedOn: "live hints are on · none here yet",
    realisedAbout:
      "What live hints really spared in this session: results that were replaced by a hint before the model saw them, " +
      "less what their explanation took and what was asked for again. The share is of what they and hints that were " +
      "not given come to: what is realised of the estimate.",
    realisedUnknown: "The log has hints, but not the results they point at.",
    forgone: "Forgone",
    forgoneNone: "nothing that repeated was lost",
    forgoneAbout:
      "Results that repeat something the model had been given before, but that could no longer be pointed at: pushed " +
      "out of the cache, made stale by an edit, or gone from the context.",
    inResults: "In tool results",
    resultsBasis: "{results} · {hits}",
    resultsAbout: "All text that tools gave to the model in this conversation, errors and stubs included.",
  },
  timeline: {
    label: "Timeline of results",
  },
  tabs: {
    label: "Views",
    events: "Events",
    partitions: "Partitions",
    whatIf: "What if",
    why: "Why",
    transcript: "Transcript",
    split: "Width of the timeline",
    splitStacked: "Height of the timeline",
  },
  filter: {
    text: "Filter events",
    placeholder: "Filter: tool, path, outcome…",
    kind: "Kind",
    tool: "Tool",
    allTools: "All tools",
    path: "Path",
    allPaths: "All paths",
    filterPaths: "Filter paths",
    pathUses: "{n} result|{n} results",
    clear: "Clear the filter",
    count: "{shown} of {all}",
    kinds: {
      all: "All events",
      hit: "Hits",
      miss: "Misses",
      new: "New text",
      forgone: "Forgone hits",
      saved: "Saved already",
      bypass: "Left alone",
      invalidate: "Invalidations",
      boundary: "Ends and clearings",
    },
    /** The same gates as in `why`, in as few words as a dropdown has room for. */
    gates: {
      hit: "Repeats",
      nearHit: "Near repeats",
      small: "Too small",
      error: "Errors",
      nonText: "Not text",
      native: "Unchanged re-reads",
      realised: "Live hints",
      new: "New text",
      otherRange: "Other lines",
      changed: "Changed since",
      evicted: "Pushed out",
      invalidated: "Made stale",
      compacted: "Compacted away",
      cleared: "Cleared",
      rewound: "Before a rewind",
      shrunk: "Dropped silently",
    },
  },
  events: {
    label: "Events",
    none: "No events yet.",
    noneMatch: "No event matches the filter.",
    toEnd: "To the newest",
  },
  partitions: {
    label: "Partitions",
    partition: "Partition",
    results: "Results",
    hits: "Hits",
    hitRate: "Hit rate",
    tokens: "Tokens",
    saved: "Saved",
    invalidations: "Invalidations",
    invalidationsShort: "Invalid.",
    ended: "Ended by",
    goesOn: "goes on",
    notEnded: "end of the log",
    brief: "{hits} of {results} hit · {tokens} in · {ended}",
    show: "Show in the timeline",
    about: "A partition is a stretch between two compactions: what was shown before is gone after it.",
  },
  details: {
    label: "Selected result",
    goTo: "Go to {call}",
    compare: "Compare",
    transcript: "Transcript",
    logLine: "Log line",
    preview: "Text",
    input: "Input",
    result: "Result",
    given: "What the model would be given instead",
    cut: "Cut here: the transcript has all of it.",
    withHints: "With hints in place of runs of lines",
    showLines: "Show lines {from} to {to} of {call}",
    linesFromTo: "lines {from} to {to}",
    ofInput: "of its input {input}",
    lineCount: "{n} line|{n} lines",
    compareHints: "Compare with the original",
    loading: "Reading…",
    empty: "(empty)",
    back: "Back to the call before",
    close: "Clear the selection",
    noDetails: "The text could not be read",
    cannotOpen: "The call could not be opened",
    cannotCompare: "The results could not be compared",
    cannotOpenLine: "The log line could not be opened",
    cannotExport: "The report could not be exported",
    cannotDo: "That did not work",
  },
  transcript: {
    label: "Transcript",
    retry: "Try again",
    hint: "Hint instead of this result",
    cut: "Cut here. The log line has all of it.",
    partition: "Partition {number}",
    none: "There are no calls to show.",
    find: "Find in the transcript",
    findNext: "Next call with this text (Enter)",
    findPrevious: "Previous call with this text (Shift+Enter)",
    finding: "Looking… {call}",
    found: "{call}",
    notFound: "Not found",
    cannotFind: "The texts could not be searched",
  },
  compare: {
    label: "Compare two results",
    identical: "The two texts are identical.",
    differ: "{removed} · {added}",
    removed: "{n} line only on the left|{n} lines only on the left",
    added: "{n} line only on the right|{n} lines only on the right",
    coarse: "The texts are too different to match line by line.",
    same: "same",
    missing: "no such line",
    onlyLeft: "only on the left",
    onlyRight: "only on the right",
    loading: "Reading both results…",
  },
  logLine: {
    label: "Log line",
    loading: "Reading the log line…",
  },
  reading: {
    title: "Reading sessions…",
    files: "{done} of {all} files",
    bytes: "{done} of {all}",
    left: "about {n} s left",
    session: "Reading the session…",
    report: "Making the report of all sessions…",
    waiting: "Waiting for Dedup Inspector…",
  },
  empty: {
    title: "No Claude Code sessions yet",
    looked: "Looked in",
    nowhere: "No folder to look in is set.",
    what: "As soon as Claude Code writes a session there, it appears here by itself.",
    sample: "Open the sample session",
    settings: "Choose other folders",
    pick: "Choose a session above",
  },
  problems: {
    label: "Problems",
    more: "{n} more",
    fewer: "Show fewer",
    badLines: "{n} line of this log could not be read|{n} lines of this log could not be read",
    leftOutLines:
      "{n} line of this log is left out: it has too many subagents or compactions|{n} lines of this log are left out: it has too many subagents or compactions",
  },
} as const;

type Widened<T> = { readonly [K in keyof T]: T[K] extends string ? string : Widened<T[K]> };

/** The shape a translation must have. */
export type Strings = Widened<typeof strings>;

/** The names between braces in a text. */
export type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type ValuesOf<T extends string, V = string | number> = { readonly [K in NamesIn<T>]: V };

/** Puts values where a text names them. */
export function fill<T extends string>(text: T, values: ValuesOf<T>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = (values as Readonly<Record<string, string | number>>)[name];
    return value === undefined ? whole : String(value);
  });
}

/** The form of a counted thing that fits the number: "1 hit", "2,140 hits". */
export function counted(forms: string, count: number): string {
  const [one = "", many = one] = forms.split("|");
  return fill(count === 1 ? one : many, { n: grouped(count) } as ValuesOf<string>);
}
