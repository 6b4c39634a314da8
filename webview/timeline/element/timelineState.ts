import { clamped, endsIn, followed, panned, revealing, type View, whole, zoomed } from "../layout/scale.js";
import { type Scene, sceneOf } from "../layout/scene.js";
import type { Layout } from "../layout/timelineLayout.js";
import { type Axis, axisOf } from "../model/axis.js";
import { Levels } from "../model/levels.js";
import { sameContext, TimelineModel } from "../model/timelineModel.js";
import type { TimelineProps, TimelineView } from "../types.js";

type Given = Pick<TimelineProps, "input" | "axis" | "filter" | "selected" | "initialView">;

const everything = () => true;

/** The timeline's state, independent of the page: data, axis and view, and how each follows the others. */
export class TimelineState {
  #given: Given;
  #model: TimelineModel;
  #axis: Axis;
  #levels: Levels;
  #view: View;
  /** What the view shows exactly, until the user moves it. */
  #partition: number | null = null;

  constructor(given: Given) {
    this.#given = given;
    this.#model = new TimelineModel(given.input.rows);
    this.#model.grow(given.input);
    this.#axis = axisOf(this.#model, given.axis);
    this.#levels = new Levels(this.#model, this.#axis, this.passes);
    this.#view = whole(this.#axis);
    this.#restore(given.initialView ?? null);
  }

  get model(): TimelineModel {
    return this.#model;
  }

  get axis(): Axis {
    return this.#axis;
  }

  get view(): View {
    return this.#view;
  }

  /** The view in rows, whatever the axis. */
  get visibleRows(): View {
    return { from: this.#axis.rowAt(this.#view.from), to: this.#axis.rowAt(this.#view.to) };
  }

  /** What is shown, for `initialView`. */
  get shown(): TimelineView | null {
    if (this.#partition !== null) return { partition: this.#partition };
    const ends = endsIn(this.#view, this.#axis);
    return ends.start && ends.end ? null : { ...this.visibleRows, atEnd: ends.end };
  }

  /** The selected row, if the data still has it. */
  get selected(): number | null {
    const { selected } = this.#given;
    return selected !== null && selected >= 0 && selected < this.#model.length ? selected : null;
  }

  get passes(): (row: number) => boolean {
    return this.#given.filter ?? everything;
  }

  scene(layout: Layout): Scene {
    const { passes } = this;
    return sceneOf({ model: this.#model, axis: this.#axis, levels: this.#levels, passes }, layout, this.#view);
  }

  /** Builds one level of detail ahead of time, while idle; returns whether any are left. */
  prepare(layout: Layout): boolean {
    return this.#levels.prepare(layout.plot.width / (this.#axis.end - this.#axis.start));
  }

  /** Takes what the page shows now. `revealSelected`: whether a new selection may move the view. */
  take(given: Given, revealSelected: boolean): void {
    const before = this.#given;
    this.#given = given;
    if (given.input.rows !== before.input.rows) this.#replace();
    else if (given.input !== before.input || given.input.version !== this.#model.version) this.#grow();
    if (given.axis !== before.axis) this.#changeAxis();
    if (given.filter !== before.filter || given.input.savings !== before.input.savings)
      this.#levels = new Levels(this.#model, this.#axis, this.passes);
    if (given.selected !== before.selected && revealSelected && this.selected !== null) this.reveal(this.selected);
  }

  show(view: View): void {
    this.#move(clamped(view, this.#axis));
  }

  fitAll(): void {
    this.#move(whole(this.#axis));
  }

  /** `position`: what stays in place; the middle of the view unless given. */
  zoom(factor: number, position: number = (this.#view.from + this.#view.to) / 2): void {
    this.#move(zoomed(this.#view, factor, position, this.#axis));
  }

  pan(by: number): void {
    this.#move(panned(this.#view, by, this.#axis));
  }

  reveal(row: number): void {
    this.#move(revealing(this.#view, this.#axis.at(row), this.#axis));
  }

  showPartition(partition: number): void {
    const [first, end] = [this.#model.partitionStart(partition), this.#model.partitionEnd(partition)];
    if (end <= first) return;
    this.#showRows(first - 0.5, end - 0.5);
    this.#partition = partition;
  }

  #move(view: View): void {
    if (view === this.#view) return;
    this.#view = view;
    this.#partition = null;
  }

  /** On another axis or with more results: what was at the end still is. */
  #restore(shown: TimelineView | null): void {
    this.fitAll();
    if (shown === null) return;
    if ("partition" in shown) return this.showPartition(shown.partition);
    this.#showRows(shown.from, shown.to);
    if (shown.atEnd) this.pan(this.#axis.end - this.#view.to);
  }

  #showRows(from: number, to: number): void {
    if (to > from) this.show({ from: this.#axis.positionOf(from), to: this.#axis.positionOf(to) });
  }

  #grow(): void {
    this.#model.grow(this.#given.input);
    const before = this.#axis;
    const after = axisOf(this.#model, this.#given.axis);
    // The first result that has a time makes the time axis possible.
    if (after.name !== before.name) return this.#changeAxis();
    this.#axis = after;
    this.#levels.follow(after);
    if (this.#partition === null) this.#view = followed(this.#view, before, after);
    else this.showPartition(this.#partition);
  }

  /** Other rows: another context, or the same one decided with other settings. */
  #replace(): void {
    const shown = sameContext(this.#model.rows, this.#given.input.rows) ? this.shown : null;
    this.#model = new TimelineModel(this.#given.input.rows);
    this.#model.grow(this.#given.input);
    this.#axis = axisOf(this.#model, this.#given.axis);
    this.#levels = new Levels(this.#model, this.#axis, this.passes);
    this.#restore(shown);
  }

  #changeAxis(): void {
    const { shown } = this;
    this.#axis = axisOf(this.#model, this.#given.axis);
    this.#levels = new Levels(this.#model, this.#axis, this.passes);
    this.#restore(shown);
  }
}
