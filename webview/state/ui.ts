/**
 * The state of the user interface: what is selected and how it is laid out. Only this survives a reload; the data always
 * comes from the host.
 */
import { effect, type Signal, signal } from "@preact/signals";
import { isStrategy, type RunStrategy, type Strategy } from "../../src/inspect/strategies.js";
import { type EventFilter, isKindFilter, NO_FILTER } from "../lib/filter.js";

export const TABS = ["events", "partitions", "whatIf", "why", "transcript"] as const;
export type Tab = (typeof TABS)[number];

/** What figures cover: the conversation that is shown, or all sessions. */
export const SCOPES = ["here", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** The selected result, or the selected mark between results. */
export type Selection = { readonly row: number } | { readonly mark: number };

/** The visible part of the timeline, in rows, and the conversation it belongs to. */
export interface TimelineView {
  readonly of: string;
  readonly from: number;
  readonly to: number;
}

/** In a browser, a text that replaces timeline and tabs. */
export type Overlay =
  | { readonly kind: "compare"; readonly row: number; readonly strategy?: RunStrategy }
  | { readonly kind: "logLine"; readonly row: number };

export interface Ui {
  readonly selection: Signal<Selection | null>;
  /** The id of the selected call: row numbers are only valid in one session. */
  readonly call: Signal<string | null>;
  /** The name of the selected mark, for the same reason. */
  readonly mark: Signal<string | null>;
  readonly tab: Signal<Tab>;
  readonly filter: Signal<EventFilter>;
  /** The timeline's share of the width, and of the height in the stacked layout. */
  readonly splitWide: Signal<number>;
  readonly splitStacked: Signal<number>;
  readonly view: Signal<TimelineView | null>;
  /** The partition that the timeline is zoomed to; null for all. */
  readonly partition: Signal<number | null>;
  /** Whether the text of the selected result is shown below its facts. */
  readonly preview: Signal<boolean>;
  readonly scope: Signal<Scope>;
  /** The strategy whose savings the timeline also shows. */
  readonly strategy: Signal<Strategy | null>;
  readonly overlay: Signal<Overlay | null>;
  /** Messages about failures, newest last. */
  readonly notices: Signal<readonly string[]>;
  readonly announcement: Signal<string>;
  readonly connected: Signal<boolean>;
  /** A report is being exported. */
  readonly exporting: Signal<boolean>;
}

const VERSION = 1;
export const SPLIT_WIDE = 0.6;
export const SPLIT_STACKED = 0.3;

/** `saved` is what `keepSaved` last wrote, or anything else: invalid values are ignored. */
export function createUi(saved: unknown): Ui {
  const from = fieldsOf(saved);
  const usable = from["v"] === VERSION ? from : {};
  return {
    selection: signal(null),
    call: signal(textOr(usable["call"], null)),
    mark: signal(textOr(usable["mark"], null)),
    tab: signal(TABS.find(tab => tab === usable["tab"]) ?? "events"),
    filter: signal(filterOf(usable["filter"])),
    splitWide: signal(shareOr(usable["splitWide"], SPLIT_WIDE)),
    splitStacked: signal(shareOr(usable["splitStacked"], SPLIT_STACKED)),
    view: signal(viewOf(usable["view"])),
    partition: signal(null),
    preview: signal(usable["preview"] === true),
    scope: signal(SCOPES.find(scope => scope === usable["scope"]) ?? "here"),
    strategy: signal(isStrategy(usable["strategy"]) ? usable["strategy"] : null),
    overlay: signal(null),
    notices: signal([]),
    announcement: signal(""),
    connected: signal(true),
    exporting: signal(false),
  };
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
    const { call, mark, tab, filter, splitWide, splitStacked, view, preview, scope, strategy } = ui;
    state = {
      v: VERSION,
      call: call.value,
      mark: mark.value,
      tab: tab.value,
      filter: filter.value,
      splitWide: splitWide.value,
      splitStacked: splitStacked.value,
      view: view.value,
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
  const { of, from, to } = fieldsOf(value);
  if (typeof of !== "string" || typeof from !== "number" || typeof to !== "number") return null;
  return Number.isFinite(from) && to > from ? { of, from, to } : null;
}
