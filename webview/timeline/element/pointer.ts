import { type Target, targetAt } from "../layout/hitTest.js";
import { centredAt, draggedWindow, type Grip, gripAt, windowOf } from "../layout/minimapWindow.js";
import { panned, pxPerPosition, toPosition, type View } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { contains } from "../layout/timelineLayout.js";
import { wheelMove } from "./gestures.js";

/** What pointers can do to the timeline. */
export interface PointerHost {
  scene(): Scene;
  view(): View;
  show(view: View): void;
  zoom(factor: number, position: number): void;
  hover(target: Target | null, x: number, y: number): void;
  click(target: Target | null): void;
  doubleClick(target: Target | null): void;
  /** The context menu is about to open here. */
  menu(target: Target | null): void;
}

interface Drag {
  readonly grip: Grip | "plot";
  readonly x: number;
  readonly y: number;
  readonly view: View;
  moved: boolean;
}

/** Hands tremble: a press that moves less than this is a click. */
const DRAG_FROM = 3;

export function listenToPointer(area: HTMLElement, host: PointerHost, signal: AbortSignal): void {
  let drag: Drag | null = null;
  const place = (event: MouseEvent) => {
    const { left, top } = area.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { x, y } = place(event);
    area.setPointerCapture(event.pointerId);
    host.hover(null, x, y);
    const { layout, axis } = host.scene();
    if (!contains(layout.minimap, x, y)) {
      drag = { grip: "plot", x, y, view: host.view(), moved: false };
      return;
    }
    const grip = gripAt(windowOf(layout, axis, host.view()), x);
    if (grip === "outside") host.show(centredAt(layout, axis, host.view(), x));
    drag = { grip, x, y, view: host.view(), moved: true };
  };

  const move = (event: PointerEvent) => {
    const { x, y } = place(event);
    const scene = host.scene();
    if (drag === null) {
      const target = targetAt(scene, x, y);
      area.style.cursor = cursorAt(scene, host.view(), x, y, target);
      host.hover(target, x, y);
      return;
    }
    drag.moved ||= Math.abs(x - drag.x) > DRAG_FROM || Math.abs(y - drag.y) > DRAG_FROM;
    if (!drag.moved) return;
    area.style.cursor = drag.grip === "left" || drag.grip === "right" ? "ew-resize" : "grabbing";
    if (drag.grip === "plot") host.show(panned(drag.view, (drag.x - x) / pxPerPosition(scene.scale), scene.axis));
    else host.show(draggedWindow(scene.layout, scene.axis, drag.view, drag.grip, x - drag.x));
  };

  const release = (event: PointerEvent) => {
    const clicked = drag !== null && !drag.moved;
    drag = null;
    const { x, y } = place(event);
    const target = targetAt(host.scene(), x, y);
    area.style.cursor = cursorAt(host.scene(), host.view(), x, y, target);
    if (clicked) host.click(target);
  };

  const wheel = (event: WheelEvent) => {
    const { x } = place(event);
    const { scale, axis } = host.scene();
    const { zoom, pan } = wheelMove(event);
    if (zoom !== 1) {
      // Unhandled, it would zoom all of VS Code.
      event.preventDefault();
      host.zoom(zoom, toPosition(scale, Math.max(scale.left, x)));
      return;
    }
    const before = host.view();
    const after = panned(before, pan / pxPerPosition(scale), axis);
    // At either end, let the wheel scroll the page.
    if (after.from === before.from) return;
    event.preventDefault();
    host.show(after);
  };

  area.addEventListener("pointerdown", press, { signal });
  area.addEventListener("pointermove", move, { signal });
  area.addEventListener("pointerup", release, { signal });
  area.addEventListener("pointercancel", () => (drag = null), { signal });
  area.addEventListener("pointerleave", () => host.hover(null, 0, 0), { signal });
  area.addEventListener("wheel", wheel, { signal, passive: false });
  const under = (event: MouseEvent) => {
    const { x, y } = place(event);
    return targetAt(host.scene(), x, y);
  };
  area.addEventListener("dblclick", event => host.doubleClick(under(event)), { signal });
  area.addEventListener("contextmenu", event => host.menu(under(event)), { signal });
}

function cursorAt({ layout, axis }: Scene, view: View, x: number, y: number, target: Target | null): string {
  if (!contains(layout.minimap, x, y)) return target === null ? "default" : "pointer";
  const grip = gripAt(windowOf(layout, axis, view), x);
  if (grip === "middle") return "grab";
  return grip === "outside" ? "default" : "ew-resize";
}
