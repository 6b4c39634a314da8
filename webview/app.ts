import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { LiveContext } from "../src/protocol/apply.js";
import { Actions } from "./actions.js";
import { createUi, keepSaved, type Ui } from "./state.js";
import { type ContextFigures, FigureKeeper } from "./store/contextFigures.js";
import { EventIndex, type EventList } from "./store/eventIndex.js";
import { isFiltering } from "./store/filter.js";
import { PanelStore } from "./store/panelStore.js";
import type { Transport } from "./transport.js";

/** Everything that views share. */
export interface App {
  readonly store: PanelStore;
  readonly ui: Ui;
  readonly actions: Actions;
  readonly figures: ReadonlySignal<ContextFigures | null>;
  readonly events: ReadonlySignal<EventList | null>;
  /** The timeline's filter; undefined while nothing is filtered. */
  readonly rowFilter: ReadonlySignal<((row: number) => boolean) | undefined>;
  /** The time of day, in steps fine enough for "12 min ago". */
  readonly now: ReadonlySignal<number>;
}

const CLOCK_STEP_MS = 20_000;

export function createApp(transport: Transport): App {
  const ui = createUi(transport.getState());
  const send: Transport["send"] = message => transport.send(message);
  const store = new PanelStore(send, flush => requestAnimationFrame(flush));
  const actions = new Actions(send, store, ui);
  const saving = keepSaved(ui, state => transport.setState(state));
  const keeper = new FigureKeeper();
  const index = new EventIndex();
  const now = signal(Date.now());
  setInterval(() => {
    now.value = Date.now();
  }, CLOCK_STEP_MS);

  const figures = computed(() => {
    const { context } = store;
    return context && keeper.update(context);
  });
  const events = computed(() => {
    const { context } = store;
    return context && index.update(context, ui.filter.value);
  });
  const rowFilter = computed(() => {
    if (!isFiltering(ui.filter.value)) return undefined;
    return (row: number) => {
      // Brings the index up to date, if nobody has yet.
      events.peek();
      return index.passes(row);
    };
  });

  restoreSelection(store, ui);
  transport.onConnection?.(connected => {
    const again = connected && !ui.connected.peek();
    ui.connected.value = connected;
    if (again) store.ready();
  });
  transport.onMessage(message => {
    if (message.type === "snapshot" || message.type === "delta") store.take(message);
    else if (message.type === "reveal") actions.follow(message.row);
    else actions.channel.take(message);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") return store.ready();
    saving.flush();
    send({ type: "hidden" });
  });
  addEventListener("pagehide", () => saving.flush());
  store.ready();
  return { store, ui, actions, figures, events, rowFilter, now };
}

/** Rows mean something in one context only: in a new one the selected call is looked for by its id. */
function restoreSelection(store: PanelStore, ui: Ui): void {
  let known: LiveContext | null = null;
  effect(() => {
    const { context } = store;
    if (context === known || context === null) return;
    known = context;
    const call = ui.call.peek();
    const row = call === null ? -1 : context.ids.indexOf(call);
    ui.selection.value = row === -1 ? null : { row };
    ui.partition.value = null;
  });
}

const AppContext = createContext<App | null>(null);

export const AppProvider = AppContext.Provider;

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("No app");
  return app;
}
