import { NO_CALL_MENU } from "../../../src/protocol/contextMenu.js";
import { strings } from "../../../src/words/strings.js";
import { fill } from "../../../src/words/text.js";
import { menuOf } from "../../words/callFacts.js";
import { factsOf, factsOfRow, spoken, summaryOf } from "../describe.js";
import type { Theme } from "../draw/colors.js";
import type { Target } from "../layout/hitTest.js";
import type { View } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { type Layout, layoutOf } from "../layout/timelineLayout.js";
import type { TimelineHandle, TimelineProps } from "../types.js";
import { Card } from "./card.js";
import { type Action, actionOf, type Key, ZOOM_STEP } from "./gestures.js";
import { destination } from "./navigate.js";
import { onThemeChange, readTheme } from "./pageTheme.js";
import { listenToPointer } from "./pointer.js";
import { Surface } from "./surface.js";
import { TimelineState } from "./timelineState.js";

export interface Elements {
  /** Focusable; contains everything else. */
  readonly wrapper: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly card: HTMLElement;
}

/** No frame for this long: the user is reading, and nothing moves. */
const QUIET_MS = 30;

/**
 * Connects the state to the page: sizes, frames, keys and pointers. Nothing is animated, so there is no motion to
 * reduce.
 */
export class TimelineController implements TimelineHandle {
  readonly #elements: Elements;
  readonly #state: TimelineState;
  readonly #surface: Surface;
  readonly #card: Card;
  readonly #stop = new AbortController();
  readonly #resized: ResizeObserver;
  readonly #forgetTheme: () => void;
  #props: TimelineProps;
  #theme: Theme;
  #layout: Layout;
  #scene: Scene | null = null;
  #hovered: Target | null = null;
  /** Selected with the pointer: the user is looking at the mark, so the view must not move. */
  #clicked: number | null = null;
  #stale = { scene: true, minimap: true };
  #frame = 0;
  #preparing = 0;
  #shownView: View | null = null;

  constructor(elements: Elements, props: TimelineProps) {
    this.#elements = elements;
    this.#props = props;
    this.#state = new TimelineState(props);
    this.#surface = new Surface(elements.canvas);
    this.#card = new Card(elements.card);
    this.#theme = readTheme(elements.wrapper);
    this.#layout = layoutOf(0, 0, []);
    this.#resized = new ResizeObserver(() => this.#resize());
    this.#resized.observe(elements.wrapper);
    this.#forgetTheme = onThemeChange(() => this.#retheme());
    const { signal } = this.#stop;
    listenToPointer(elements.canvas, this.#pointerHost(), signal);
    elements.wrapper.addEventListener("keydown", event => this.press(event), { signal });
    // A window dragged to a screen of another density keeps its size in CSS pixels.
    window.addEventListener("resize", () => this.#resize(), { signal });
    this.#resize();
    this.#describe();
  }

  dispose(): void {
    this.#stop.abort();
    this.#resized.disconnect();
    this.#forgetTheme();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#preparing);
  }

  take(props: TimelineProps): void {
    const before = this.#props;
    const { model, axis, view } = this.#state;
    const clicked = props.selected !== null && props.selected === this.#clicked;
    this.#props = props;
    this.#state.take(props, !clicked);
    const data = this.#state.model !== model || this.#state.axis !== axis || props.filter !== before.filter;
    const moved = this.#state.view !== view;
    if (data) this.#describe();
    // What was under the pointer may have moved or changed.
    if (moved || (data && this.#hovered?.kind !== "row")) this.#hover(null, 0, 0);
    if (data || moved) this.#invalidate(data);
    else this.#requestFrame();
  }

  zoomIn(): void {
    this.#zoom(1 / ZOOM_STEP);
  }

  zoomOut(): void {
    this.#zoom(ZOOM_STEP);
  }

  fitAll(): void {
    this.#state.fitAll();
    this.#invalidate(false);
  }

  showPartition(partition: number): void {
    this.#state.showPartition(partition);
    this.#invalidate(false);
  }

  focus(): void {
    this.#elements.wrapper.focus();
  }

  #describe(): void {
    this.#elements.wrapper.setAttribute("aria-label", summaryOf(this.#state.model));
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#elements.wrapper;
    if (this.#surface.resize(clientWidth, clientHeight, window.devicePixelRatio || 1)) this.#invalidate(true);
  }

  #retheme(): void {
    this.#theme = readTheme(this.#elements.wrapper);
    this.#invalidate(true);
  }

  /** At least the view has changed; `overview`: the minimap's content too. */
  #invalidate(overview: boolean): void {
    this.#scene = null;
    this.#stale.scene = true;
    this.#stale.minimap ||= overview;
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #sceneNow(): Scene {
    if (this.#scene !== null) return this.#scene;
    const { clientWidth, clientHeight } = this.#elements.wrapper;
    this.#layout = layoutOf(clientWidth, clientHeight, this.#state.model.lanes);
    this.#scene = this.#state.scene(this.#layout);
    return this.#scene;
  }

  #paint(): void {
    this.#frame = 0;
    const emphasis = { selected: this.#state.selected, hovered: this.#hovered };
    this.#surface.paint(this.#sceneNow(), this.#theme, emphasis, this.#stale);
    this.#stale = { scene: false, minimap: false };
    this.#prepareSoon();
    const { view } = this.#state;
    if (view === this.#shownView) return;
    this.#shownView = view;
    this.#props.onView?.(this.#state.shown);
  }

  /** Uses idle time to prepare what the next zoom will need. */
  #prepareSoon(): void {
    clearTimeout(this.#preparing);
    this.#preparing = window.setTimeout(() => {
      if (this.#state.prepare(this.#layout)) this.#prepareSoon();
    }, QUIET_MS);
  }

  #zoom(factor: number): void {
    const { selected, axis, view } = this.#state;
    const at = selected === null ? Number.NaN : axis.at(selected);
    if (at >= view.from && at <= view.to) this.#state.zoom(factor, at);
    else this.#state.zoom(factor);
    this.#invalidate(false);
  }

  press(event: Key & { preventDefault(): void }): void {
    const action = actionOf(event);
    if (action === null) return;
    event.preventDefault();
    this.#hover(null, 0, 0);
    this.#act(action);
  }

  #act(action: Action): void {
    const { selected } = this.#state;
    if (action.do === "zoom") this.#zoom(action.factor);
    else if (action.do === "fit") this.fitAll();
    else if (action.do === "deselect") return this.#props.onSelect(null);
    else if (action.do === "open") {
      if (selected !== null) this.#props.onOpen(selected);
      return;
    } else return this.#go(action);
    const { from, to } = this.#state.visibleRows;
    const { length } = this.#state.model;
    const [first, last] = [Math.max(1, Math.ceil(from) + 1), Math.min(length, Math.floor(to) + 1)];
    this.#props.announce(fill(strings.timeline.viewFromTo, { from: first, to: last }));
  }

  #go(action: Action): void {
    const { model, axis, passes, view, selected } = this.#state;
    const first = Math.max(0, Math.ceil(axis.rowAt(view.from)));
    const end = Math.min(model.length, Math.floor(axis.rowAt(view.to)) + 1);
    const row = destination({ model, axis, passes, first, end }, selected, action);
    if (row === null) return this.#props.announce(strings.timeline.nothingThere);
    this.#clicked = null;
    this.#select(row);
  }

  #select(row: number): void {
    const { input, announce, onSelect } = this.#props;
    announce(spoken(factsOfRow({ model: this.#state.model, input }, row)));
    onSelect(row);
  }

  #hover(target: Target | null, x: number, y: number): void {
    const changed = !sameTarget(target, this.#hovered);
    this.#hovered = target;
    if (!changed) return;
    this.#requestFrame();
    if (target === null) return this.#card.hide();
    const { input } = this.#props;
    const facts = factsOf({ model: this.#state.model, input }, this.#sceneNow(), target);
    this.#card.show(facts, x, y, this.#layout.width, this.#layout.height);
  }

  #click(target: Target | null): void {
    if (target === null) return this.#props.onSelect(null);
    if (target.kind === "partition") return this.#togglePartition(target.partition);
    const row = this.#rowOf(target);
    if (row === null) return;
    this.#clicked = row;
    this.#select(row);
  }

  /** The result that represents a target: for a bar, the one that a click selects. */
  #rowOf(target: Target | null): number | null {
    if (target?.kind === "row") return target.row;
    return target?.kind === "cell" ? (this.#sceneNow().level?.best(target.cell) ?? null) : null;
  }

  /** A click on a header shows its partition; a second click shows everything. */
  #togglePartition(partition: number): void {
    const { shown } = this.#state;
    if (shown !== null && "partition" in shown && shown.partition === partition) this.fitAll();
    else this.showPartition(partition);
  }

  #doubleClick(target: Target | null): void {
    if (target?.kind === "row") return this.#props.onOpen(target.row);
    const { level } = this.#sceneNow();
    if (target?.kind !== "cell" || level === null) return;
    // A bar has many results: zooming into it comes before opening one of them.
    this.#state.zoom(0.25, level.start(target.cell) + level.width / 2);
    this.#invalidate(false);
  }

  #pointerHost() {
    return {
      scene: () => this.#sceneNow(),
      view: () => this.#state.view,
      show: (view: View) => {
        this.#state.show(view);
        this.#hover(null, 0, 0);
        this.#invalidate(false);
      },
      zoom: (factor: number, position: number) => {
        this.#state.zoom(factor, position);
        this.#hover(null, 0, 0);
        this.#invalidate(false);
      },
      hover: (target: Target | null, x: number, y: number) => this.#hover(target, x, y),
      click: (target: Target | null) => this.#click(target),
      doubleClick: (target: Target | null) => this.#doubleClick(target),
      menu: (target: Target | null) => {
        const row = this.#rowOf(target);
        const { rows } = this.#props.input;
        this.#elements.canvas.dataset["vscodeContext"] = row === null ? NO_CALL_MENU : menuOf(rows, row);
        if (row !== null) this.#click(target);
      },
    };
  }
}

function sameTarget(one: Target | null, other: Target | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind === "row") return other.kind === "row" && one.row === other.row;
  if (one.kind === "cell") return other.kind === "cell" && one.cell === other.cell;
  if (one.kind === "event") return other.kind === "event" && one.event === other.event;
  return other.kind === "partition" && one.partition === other.partition;
}
