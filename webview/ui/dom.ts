/** Where the focus goes: the list, or where there is none, what is shown instead of it. */
const FOCUSED = ["[role=grid]", ".overlay", ".transcript", "[role=tab][aria-selected=true]", ".bar button"];

/** Moves the focus to the list, for when the element that had it goes away. */
export function focusList(): void {
  // The list may only be there again after the next render.
  requestAnimationFrame(() => {
    const found = FOCUSED.map(selector => document.querySelector<HTMLElement>(selector));
    found.find(element => element !== null)?.focus();
  });
}

let waiting = new AbortController();

/**
 * Handles the second click of a double click, wherever it lands: the first one may have moved what is under the
 * pointer, and whatever is there now must not handle it.
 */
export function onSecondClick(act: () => void): void {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const listen = (type: "mousedown" | "click", take: (event: MouseEvent) => void) =>
    document.addEventListener(type, take, { capture: true, signal });
  // It would select a word and take the focus.
  listen("mousedown", event => (event.detail === 2 ? event.preventDefault() : waiting.abort()));
  listen("click", event => {
    waiting.abort();
    if (event.detail !== 2) return;
    event.stopPropagation();
    event.preventDefault();
    act();
  });
}

/** A browser may take a while to fetch what it is about to save. */
const KEPT_MS = 60_000;

/** Makes the browser download a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
