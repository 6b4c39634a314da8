/**
 * All settings, in one place. VS Code's configuration, the command line and its help, the hook, the exported report, the
 * engine's configuration and the keys of its caches all come from here; `package.json` and the plugin's manifest are
 * tested against it. The sections are by what their settings affect. The kernel must also support a new replay setting,
 * or reject it in `ReplayKernel.serves`: a test tries every setting.
 */
import { defaultsOf, type Setting, type SettingTable, type ValuesOf } from "./kinds.js";
import { invalidationMap, nonEmptyTexts, priceTable, salvagedInvalidationMap } from "./shapes.js";

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

export const SECTIONS = { REPLAY, FIGURES, WINDOW } satisfies Readonly<Record<string, SettingTable>>;

export interface FigureSettings extends ValuesOf<typeof FIGURES> {}
export interface WindowSettings extends ValuesOf<typeof WINDOW> {}

export const DEFAULT_FIGURES: FigureSettings = /* @__PURE__ */ defaultsOf(FIGURES);
