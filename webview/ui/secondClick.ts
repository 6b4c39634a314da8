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
