/** Moves the focus to the list, for when the element that had it goes away. */
export function focusList(): void {
  // The list may only be there again after the next render.
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[role=grid]")?.focus());
}

let waiting = new AbortController();

/**
 * Does something for the second click of a double click, wherever it lands: the first one may have moved what is below
 * the pointer, and whatever came there must not take it for its own.
 */
export function onSecondClick(act: () => void): void {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const listen = (type: "mousedown" | "click", take: (event: MouseEvent) => void) =>
    document.addEventListener(type, take, { capture: true, signal });
  // It would mark a word and take the focus.
  listen("mousedown", event => (event.detail === 2 ? event.preventDefault() : waiting.abort()));
  listen("click", event => {
    waiting.abort();
    if (event.detail !== 2) return;
    event.stopPropagation();
    event.preventDefault();
    act();
  });
}

/** A browser may take its time to ask for what it is to save. */
const KEPT_MS = 60_000;

/** Hands a file over to the browser's downloads. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
