import type { Facts } from "../describe.js";

const GAP = 14;
const EDGE = 4;

/** The small card beside the pointer. Log text is untrusted, so it is only ever put into text nodes. */
export class Card {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  /** `x`, `y`: the target's position in the parent, in pixels; `width`, `height`: the parent's size. */
  show({ title, lines }: Facts, x: number, y: number, width: number, height: number): void {
    const element = this.#element;
    const parts = [part("timeline-card-title", title), ...lines.map(line => part("timeline-card-line", line))];
    element.replaceChildren(...parts);
    element.hidden = false;
    const { offsetWidth, offsetHeight } = element;
    const fitsRight = x + GAP + offsetWidth <= width - EDGE;
    const fitsLeft = x - GAP - offsetWidth >= EDGE;
    const left = fitsRight ? x + GAP : fitsLeft ? x - GAP - offsetWidth : width - EDGE - offsetWidth;
    const lowest = height - EDGE - offsetHeight;
    // Beside the mark it may move up; if it has to cover the mark's column, it goes above the mark instead.
    const top = y + GAP <= lowest ? y + GAP : fitsRight || fitsLeft ? Math.max(EDGE, lowest) : y - GAP - offsetHeight;
    element.style.left = `${Math.max(EDGE, left)}px`;
    element.style.top = `${top}px`;
  }
}

function part(className: string, text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.textContent = text;
  return element;
}
