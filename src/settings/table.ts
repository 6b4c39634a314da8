/**
 * All settings, in one place. The command line and its help, the hook, the exported report, the engine's configuration and
 * the keys of its caches all come from here; `npm run manifests` writes VS Code's configuration, the plugin's options and the
 * kernel's variables, with the texts in `IN_MANIFESTS`. The sections are by what their settings affect. The kernel must also
 * support a new replay setting, or reject it in `ReplayKernel.serves`: a test tries every setting.
 */
import { defaultsOf, type Setting, type SettingTable, type ValuesOf } from "./kinds.js";
import { invalidationMap, nonEmptyTexts, PRICE_SCHEMA, priceTable, salvagedInvalidationMap } from "./shapes.js";

type InConfiguration = Setting & { readonly key: string };
type OnCommandLine = Setting & { readonly flag: string; readonly help: string };

/** What the replay decides, and with it live hints. `dedup/settings` has the type of their values. */
export const REPLAY = {
  capacity: {
    kind: "integer",
    key: "capacity",
    flag: "capacity",
    default: 5,
    min: 1,
    max: 1_000_000,
    help: "results remembered per context",
  },
  minBytes: {
    kind: "integer",
    key: "minBytes",
    flag: "min-bytes",
    default: 200,
    min: 0,
    max: 1_000_000,
    help: "skip smaller results",
  },
  nearRef: {
    kind: "toggle",
    key: "nearReference",
    flag: "near-ref",
    default: false,
    help: "also refer to JSON objects that differ in a few values",
  },
  /** Only affects the wording of hints, and with its length the bytes saved. */
  verbosity: {
    kind: "choice",
    key: "hintVerbosity",
    flag: "verbosity",
    choices: ["terse", "standard", "verbose", "located"],
    // A model has no table of call ids: it finds a call by its subject.
    default: "located",
    help: "wording of hints",
  },
  invalidates: {
    kind: "json",
    key: "invalidates",
    flag: "invalidates",
    default: {},
    parse: invalidationMap,
    salvage: salvagedInvalidationMap,
    shape: 'must map tool names to lists of tool names, such as {"Bash": ["Grep", "mcp__*"]}',
    help: "which tools make which other tools' results stale",
  },
  runs: {
    kind: "toggle",
    key: "runs",
    flag: "no-runs",
    default: true,
    help: "replace whole results only, not runs of lines",
  },
  spanMinBytes: {
    kind: "integer",
    key: "spanMinBytes",
    flag: "span-min-bytes",
    default: 512,
    // A hint for a smaller run saves next to nothing.
    min: 200,
    max: 1_000_000,
    help: "skip shorter runs of lines",
  },
  /** What live hints can replace depends on how they get into Claude Code. */
  door: {
    kind: "choice",
    key: "door",
    flag: "door",
    choices: ["mod", "hooks"],
    default: "mod",
    help: "how live hints get into Claude Code",
  },
} as const satisfies Readonly<Record<string, InConfiguration & OnCommandLine>>;

const { door: _door, ...ofHints } = REPLAY;
/** The settings for live hints: all but the door, which is given. */
export const HINTS = ofHints;

/** How figures are made from a replay. */
export const FIGURES = {
  charsPerToken: {
    kind: "number",
    key: "charsPerToken",
    flag: "chars-per-token",
    default: undefined,
    // No tokenizer comes close to either end.
    min: 0.5,
    max: 20,
    help: "use this ratio instead of the calibrated ones",
  },
  prices: {
    kind: "json",
    key: "prices",
    flag: "prices",
    default: undefined,
    parse: priceTable,
    shape:
      'must map models to US dollars per million input tokens, such as {"claude-opus-5": 5, "mine": {"input": 3, "cacheRead": 0.3}}',
    help: "US dollars per million input tokens by model; other models keep their list prices",
  },
} as const satisfies Readonly<Record<string, InConfiguration & OnCommandLine>>;

/** What VS Code shows, and from which logs. */
export const WINDOW = {
  logRoots: { kind: "json", key: "logRoots", default: [], parse: nonEmptyTexts },
  axis: { kind: "choice", key: "timelineAxis", choices: ["order", "time"], default: "order" },
  followLive: { kind: "toggle", key: "followLive", default: true },
  statusBar: { kind: "toggle", key: "statusBar", default: true },
} as const satisfies Readonly<Record<string, InConfiguration>>;

interface InManifest {
  /** In VS Code's settings, as Markdown. */
  readonly about: string;
  /** The same for each choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What VS Code must know of an object or a list to check it while somebody writes it. */
  readonly schema?: object;
  /** VS Code's, where it is not `window`. */
  readonly scope?: "machine-overridable";
  /** Among the options that Claude Code shows for the plugin. */
  readonly option?: { readonly title: string; readonly description: string };
}

type Described<T extends SettingTable> = {
  readonly [Name in keyof T]: InManifest &
    (T[Name] extends { choices: readonly (infer Choice extends string)[] }
      ? { readonly choices: Readonly<Record<Choice, string>> }
      : T[Name] extends { kind: "json" }
        ? { readonly schema: object }
        : unknown);
};

/** What people read about a setting outside our programs, in the order in which VS Code lists them. No program has it. */
export const IN_MANIFESTS = {
  capacity: {
    about:
      "How many results are remembered for each conversation. A result that repeats one of them is a **hit**. *What if* in the panel shows what other capacities would save.\n\nResults smaller than `#dedup.minBytes#` are not remembered.",
    option: { title: "Capacity", description: "How many whole results a hint may point at." },
  },
  minBytes: {
    about: "Skip results smaller than this many bytes: a hint would hardly be shorter.\n\nSee also `#dedup.capacity#`.",
    option: { title: "Smallest result", description: "Results with fewer bytes are never replaced as a whole." },
  },
  runs: {
    about:
      "Replace runs of lines that the model already has, not only whole results. When this is off, only `#dedup.capacity#` decides what repeats.",
    option: { title: "Runs of lines", description: "Also replace runs of lines that the model already has." },
  },
  spanMinBytes: {
    about:
      "The smallest run of lines, in bytes, that is replaced by a hint. Models tend to ask again for short ones.\n\nFor whole results, see `#dedup.minBytes#`; to turn runs off, `#dedup.runs#`.",
    option: { title: "Smallest run", description: "Shorter runs of lines, in bytes, are skipped." },
  },
  verbosity: {
    about: "How much a hint says about the call it refers to. Longer hints save slightly less.",
    choices: {
      terse: "`> [ref: toolu_…]`",
      standard: "`> [ref: toolu_…, byte-identical]`",
      verbose: "`> [ref: toolu_…, byte-identical, from: file-read]`",
      located: "`> [ref: toolu_…, byte-identical, from: Read(src/a.ts)]`",
    },
    option: { title: "Hint format", description: "terse, standard, verbose or located." },
  },
  nearRef: {
    about:
      "Also refer to an earlier JSON result if only a few short values differ, for example when a status is polled. The hint lists the changed values.\n\n`#dedup.hintVerbosity#` does not affect these hints.",
    option: {
      title: "Near-references",
      description: "Also replace JSON objects that differ from an earlier one in a few values.",
    },
  },
  invalidates: {
    about:
      'Which tools make which other tools\' results stale. (Editing a file always makes earlier reads of that file stale.) `*` matches any characters.\n\nExample: `{ "Bash": ["Grep", "mcp__*"] }`',
    schema: { additionalProperties: { type: "array", items: { type: "string" } } },
    option: {
      title: "Invalidation",
      description: "Which tools make which other tools' results stale, as a JSON object.",
    },
  },
  door: {
    about:
      "How live hints get into Claude Code. This decides what they can replace, and therefore what the figures count. It does not affect live hints that are already on.",
    choices: {
      mod: "As a mod (Claude Code 2.1.287 and later): any part of any result can be replaced.",
      hooks:
        "As settings hooks (earlier versions): results of Bash, PowerShell, Read, Grep and MCP tools can be replaced; in a Read, only lines at its beginning or end.",
    },
  },
  charsPerToken: {
    about:
      "How many characters make up a token. With `null`, the ratio is measured in each session's own log, with an error estimate, which is nearly always more accurate.\n\nAll token figures depend on this, and so do the costs from `#dedup.prices#`.",
  },
  prices: {
    about:
      'US dollars per million input tokens, by model, for *API-equivalent* costs. Other models keep their built-in list prices. Each price is a number, or an object with `input` and, for reading from the prompt cache, `cacheRead` (a tenth of `input` if omitted). `above` sets other prices for requests with more than `promptTokens`, `before` for requests before a `date`.\n\nExample: `{ "claude-opus-5": 5, "my-model": { "input": 3, "cacheRead": 0.3, "above": { "promptTokens": 100000, "input": 6 } } }`',
    schema: PRICE_SCHEMA,
  },
  logRoots: {
    about:
      "Session logs, or folders that contain them, to use instead of Claude Code's own (`~/.claude/projects`, or `projects` in `CLAUDE_CONFIG_DIR`). `~` is your home folder.\n\nLogs are only ever read, and nothing in them leaves this machine.",
    schema: { items: { type: "string" }, uniqueItems: true },
    scope: "machine-overridable",
  },
  axis: {
    about: "What the timeline's horizontal axis shows.",
    choices: { order: "One step per result", time: "Clock time, including pauses" },
  },
  followLive: {
    about:
      "Switch to the newest live session automatically: one of the open folder or, if that has no sessions, any. The command *Dedup: Follow Live Session* does this for a single panel.",
  },
  statusBar: {
    about:
      "Show in the status bar how full the live session's context is and how much of its tool results repeats.\n\nWhen this is off, no log is read until you open the panel.",
  },
} as const satisfies Described<typeof REPLAY & typeof FIGURES & typeof WINDOW> &
  Readonly<Record<keyof typeof HINTS, { readonly option: object }>>;

export const SECTIONS = { REPLAY, FIGURES, WINDOW } satisfies Readonly<Record<string, SettingTable>>;

export interface FigureSettings extends ValuesOf<typeof FIGURES> {}
export interface WindowSettings extends ValuesOf<typeof WINDOW> {}

export const DEFAULT_FIGURES: FigureSettings = /* @__PURE__ */ defaultsOf(FIGURES);
