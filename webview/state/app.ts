import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { GatesReport } from "../../src/inspect/gateFigures.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { unknownMessage } from "../../src/protocol/channel.js";
import { type ContextFigures, FigureKeeper } from "../lib/contextFigures.js";
import { EventIndex, type EventList } from "../lib/eventIndex.js";
import { gateOfKind, isFiltering } from "../lib/filter.js";
import { GateTracker } from "../lib/gateTracker.js";
import { sameSelection } from "../lib/sameSelection.js";
import type { Transport } from "../transport.js";
import { sessionName, strings } from "../words/pageText.js";
import { ContextComparisons } from "./contextComparisons.js";
import { Actions } from "./pageActions.js";
import { PanelStore } from "./panelStore.js";
import { createUi, keepSaved, moveTo, type Ui } from "./ui.js";

/** Everything that the views share. */
export interface App {
  readonly store: PanelStore;
  readonly ui: Ui;
  readonly actions: Actions;
  readonly figures: ReadonlySignal<ContextFigures | null>;
  readonly gates: ReadonlySignal<GatesReport | null>;
  readonly comparison: ContextComparisons;
  readonly events: ReadonlySignal<EventList | null>;
  /** The timeline's filter; undefined if nothing is filtered. */
  readonly rowFilter: ReadonlySignal<((row: number) => boolean) | undefined>;
  /** Whether the selected session is being written to. */
  readonly live: ReadonlySignal<boolean>;
  /** The current time, in steps fine enough for "12 min ago". */
  readonly now: ReadonlySignal<number>;
}

const CLOCK_STEP_MS = 20_000;

export function createApp(transport: Transport): App {
  const ui = createUi(transport.getState());
  const send: Transport["send"] = message => transport.send(message);
  const store = new PanelStore(send, flush => requestAnimationFrame(flush));
  const actions = new Actions(transport, store, ui);
  const saving = keepSaved(ui, state => transport.setState(state));
  const keeper = new FigureKeeper();
  const tracker = new GateTracker();
  const index = new EventIndex(row => tracker.gateOf(row));
  const comparison = new ContextComparisons(store, ask => actions.channel.ask(ask));
  const now = signal(Date.now());
  setInterval(() => {
    now.value = Date.now();
  }, CLOCK_STEP_MS);

  const figures = computed(() => {
    const { context } = store;
    return context && keeper.update(context);
  });
  const gates = computed(() => {
    const { context } = store;
    return context && tracker.update(context);
  });
  const events = computed(() => {
    const { context } = store;
    const filter = ui.filter.value;
    // A filter by gate selects exactly the results that the figures count.
    if (gateOfKind(filter.kind) !== undefined) gates.value;
    return context && index.update(context, filter);
  });
  const rowFilter = computed(() => {
    if (!isFiltering(ui.filter.value)) return undefined;
    return (row: number) => {
      // Updates the index.
      events.peek();
      return index.passes(row);
    };
  });

  const live = computed(() => {
    const { members } = store;
    return members?.sessions.find(({ key }) => key === members.selected?.session)?.live ?? false;
  });

  const restoring = restoreSelection(store, ui, actions);
  transport.onConnection?.(connected => {
    if (connected === ui.connected.peek()) return;
    ui.connected.value = connected;
    actions.announce(connected ? strings.app.connectedAgain : strings.app.connectionLost);
    if (connected) store.ready();
  });
  transport.onMessage(message => {
    switch (message.type) {
      case "snapshot":
      case "delta":
        return store.take(message);
      case "reveal":
        return restoring.reveal(message.row);
      case "reply":
      case "failure":
        return actions.channel.take(message);
      default:
        reportError(new Error(unknownMessage(message)));
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") return store.ready();
    saving.flush();
    send({ type: "hidden" });
  });
  addEventListener("pagehide", () => saving.flush());
  store.ready();
  return { store, ui, actions, figures, gates, comparison, events, rowFilter, live, now };
}

/**
 * Row numbers are only valid in one context: in a new one the selected call or mark is found by its name. A call
 * revealed before there is a context is selected as soon as there is one.
 */
function restoreSelection(store: PanelStore, ui: Ui, actions: Actions): { reveal(row: number): void } {
  let known: LiveContext | null = null;
  let wanted: number | null = null;
  effect(() => {
    const { context } = store;
    if (context === known || context === null) return;
    known = context;
    const { session, context: key } = store.peek()?.selected ?? {};
    const place = `${session}\n${key}`;
    const before = ui.place.peek();
    if (place !== before) {
      moveTo(ui, place);
      actions.forgetTrail();
      const item = store.peek()?.sessions.find(one => one.key === session);
      if (item && before !== "" && !before.startsWith(`${session}\n`)) actions.announce(sessionName(item));
    }
    const row = wanted;
    wanted = null;
    const isThere = row !== null && row < context.rows.length;
    actions.restore(isThere ? { row } : sameSelection(context, ui.call.peek(), ui.mark.peek()));
  });
  return {
    reveal: row => {
      if (store.peek()?.context) actions.reveal(row);
      else wanted = row;
    },
  };
}

const AppContext = createContext<App | null>(null);

export const AppProvider = AppContext.Provider;

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("No app");
  return app;
}
