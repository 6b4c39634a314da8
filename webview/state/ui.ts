/**
 * The state of the user interface: what is selected and how it is laid out. Only this survives a reload; the data always
 * comes from the host.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { isStrategy, type RunStrategy, type Strategy } from "../../src/inspect/strategies.js";
import type { OfferedPlace } from "../../src/protocol/requests.js";
import { type EventFilter, isKindFilter, NO_FILTER } from "../lib/filter.js";
import type { TimelineView } from "../timeline/types.js";

export const TABS = ["events", "partitions", "whatIf", "why", "transcript"] as const;
export type Tab = (typeof TABS)[number];

/** What figures cover: the conversation that is shown, or all sessions. */
export const SCOPES = ["here", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** The selected result, or the selected mark between results. */
export type Selection = { readonly row: number } | { readonly mark: number };

/** Where a list is scrolled to: "end" stays right when the list has grown. */
export type ScrollTop = number | "end";

/** What belongs to one conversation, and is restored when the user returns to it. */
export interface Stay {
  /** The id of the selected call: row numbers are only valid in one session. */
  readonly call: string | null;
  /** The name of the selected mark, for the same reason. */
  readonly mark: string | null;
  readonly filter: EventFilter;
  /** What the timeline shows. */
  readonly view: TimelineView | null;
  /** How far the list of events is scrolled; null if it never was. */
  readonly top: ScrollTop | null;
}

/** In a browser, a text that replaces timeline and tabs. */
export type Overlay =
  | { readonly kind: "compare"; readonly row: number; readonly strategy?: RunStrategy }
  | { readonly kind: "logLine"; readonly row: number }
  | { readonly kind: "liveHints"; readonly on: boolean };

export interface Ui {
  readonly selection: Signal<Selection | null>;
  /** Incremented by each choice, so that what is selected already can be brought into view again. */
  readonly choices: Signal<number>;
  /** The conversation that is shown; "" before the first one. */
  readonly place: Signal<string>;
  /** Of that conversation. */
  readonly call: Signal<Stay["call"]>;
  readonly mark: Signal<Stay["mark"]>;
  readonly filter: Signal<Stay["filter"]>;
  readonly view: Signal<Stay["view"]>;
  readonly top: Signal<Stay["top"]>;
  /** Of conversations shown before, most recent last. */
  readonly stays: Map<string, Stay>;
  readonly tab: Signal<Tab>;
  /** Whether the filters are open where they fold into a button. */
  readonly filterOpen: Signal<boolean>;
  /** Whether the explanation of marks and keys is open. */
  readonly help: Signal<boolean>;
  /** The timeline's share of the width, and of the height in the stacked layout. */
  readonly splitWide: Signal<number>;
  readonly splitStacked: Signal<number>;
  /** The partition that the timeline shows; null while it shows anything else. */
  readonly partition: ReadonlySignal<number | null>;
  /** Whether the text of the selected result is shown below its facts. */
  readonly preview: Signal<boolean>;
  readonly scope: Signal<Scope>;
  /** The strategy whose savings the timeline also shows. */
  readonly strategy: Signal<Strategy | null>;
  /** The capacity last set here, and the one before: for undoing it. */
  readonly used: Signal<{ readonly capacity: number; readonly before: number } | null>;
  readonly overlay: Signal<Overlay | null>;
  /** Where live hints were last turned on or off here: for undoing it. */
  readonly liveHintsDone: Signal<(Pick<OfferedPlace, "file"> & { readonly on: boolean }) | null>;
  /** Messages about failures, newest last. */
  readonly notices: Signal<readonly string[]>;
  readonly announcement: Signal<string>;
  readonly connected: Signal<boolean>;
  /** In a browser: a report is being exported, or its format is being chosen. */
  readonly exporting: Signal<"choosing" | "running" | null>;
}

const VERSION = 2;
/** More than anyone switches between. */
const MAX_STAYS = 10;
const NO_STAY: Stay = { call: null, mark: null, filter: NO_FILTER, view: null, top: null };
export const SPLIT_WIDE = 0.48;
export const SPLIT_STACKED = 0.3;

/** `saved` is what `keepSaved` last wrote, or anything else: invalid values are ignored. */
export function createUi(saved: unknown): Ui {
  const from = fieldsOf(saved);
  const usable = from["v"] === VERSION ? from : {};
  const stays = staysOf(usable["stays"]);
  const place = textOr(usable["place"], "");
  const stay = stays.get(place) ?? NO_STAY;
  const view = signal(stay.view);
  return {
    selection: signal(null),
    choices: signal(0),
    place: signal(place),
    call: signal(stay.call),
    mark: signal(stay.mark),
    filter: signal(stay.filter),
    view,
    top: signal(stay.top),
    stays,
    tab: signal(TABS.find(tab => tab === usable["tab"]) ?? "events"),
    filterOpen: signal(false),
    help: signal(false),
    splitWide: signal(shareOr(usable["splitWide"], SPLIT_WIDE)),
    splitStacked: signal(shareOr(usable["splitStacked"], SPLIT_STACKED)),
    partition: computed(() => (view.value !== null && "partition" in view.value ? view.value.partition : null)),
    preview: signal(usable["preview"] === true),
    scope: signal(SCOPES.find(scope => scope === usable["scope"]) ?? "here"),
    strategy: signal(isStrategy(usable["strategy"]) ? usable["strategy"] : null),
    used: signal(null),
    overlay: signal(null),
    liveHintsDone: signal(null),
    notices: signal([]),
    announcement: signal(""),
    connected: signal(true),
    exporting: signal(null),
  };
}

/** Switches to another conversation, as the user left it. */
export function moveTo(ui: Ui, place: string): void {
  const before = ui.place.peek();
  ui.stays.delete(before);
  if (before !== "")
    ui.stays.set(
      before,
      untracked(() => stayOf(ui)),
    );
  for (const old of [...ui.stays.keys()].slice(0, -MAX_STAYS)) ui.stays.delete(old);
  const stay = ui.stays.get(place) ?? NO_STAY;
  batch(() => {
    ui.place.value = place;
    ui.call.value = stay.call;
    ui.mark.value = stay.mark;
    ui.filter.value = stay.filter;
    ui.view.value = stay.view;
    ui.top.value = stay.top;
    ui.overlay.value = null;
  });
}

function stayOf({ call, mark, filter, view, top }: Ui): Stay {
  return { call: call.value, mark: mark.value, filter: filter.value, view: view.value, top: top.value };
}

/** Saves the state shortly after it has changed; `flush` does so at once, for a page that is about to close. */
export function keepSaved(ui: Ui, write: (state: unknown) => void, delayMs = 150): { flush(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: unknown;
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    write(state);
  };
  let first = true;
  effect(() => {
    const { place, stays, tab, splitWide, splitStacked, preview, scope, strategy } = ui;
    state = {
      v: VERSION,
      place: place.value,
      stays: [...new Map([...stays, [place.value, stayOf(ui)]])],
      tab: tab.value,
      splitWide: splitWide.value,
      splitStacked: splitStacked.value,
      preview: preview.value,
      scope: scope.value,
      strategy: strategy.value,
    };
    if (!first) timer ??= setTimeout(flush, delayMs);
    first = false;
  });
  return { flush };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === "string" ? value : other;
}

function shareOr(value: unknown, other: number): number {
  return typeof value === "number" && value >= 0.1 && value <= 0.9 ? value : other;
}

function filterOf(value: unknown): EventFilter {
  const { kind, tool, path, text } = fieldsOf(value);
  return {
    kind: isKindFilter(kind) ? kind : NO_FILTER.kind,
    tool: textOr(tool, ""),
    path: textOr(path, ""),
    text: textOr(text, ""),
  };
}

function viewOf(value: unknown): TimelineView | null {
  const { partition, from, to, atEnd } = fieldsOf(value);
  if (Number.isSafeInteger(partition)) return { partition: Number(partition) };
  if (typeof from !== "number" || typeof to !== "number") return null;
  return Number.isFinite(from) && to > from ? { from, to, atEnd: atEnd === true } : null;
}

function staysOf(value: unknown): Map<string, Stay> {
  const stays = new Map<string, Stay>();
  for (const entry of Array.isArray(value) ? value.slice(-MAX_STAYS - 1) : []) {
    const [place, stay]: unknown[] = Array.isArray(entry) ? entry : [];
    const { call, mark, filter, view, top } = fieldsOf(stay);
    if (typeof place !== "string") continue;
    stays.set(place, {
      call: textOr(call, null),
      mark: textOr(mark, null),
      filter: filterOf(filter),
      view: viewOf(view),
      top: top === "end" || (typeof top === "number" && top >= 0) ? top : null,
    });
  }
  return stays;
}
