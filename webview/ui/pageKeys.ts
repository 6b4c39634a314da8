import { useEffect } from "preact/hooks";

/** What the page does with keys that no element has handled. */
export interface PageKeys {
  readonly timeline: (event: KeyboardEvent) => void;
  readonly filter: () => void;
  readonly help: () => void;
}

/** List keys that also work while nothing has the focus, as when a panel has just been opened. */
const OF_LIST = /^(Arrow|Page|Home$|End$|Enter$)/;

/** Keys that work wherever the focus is, except in fields that take text. */
export function usePageKeys(keys: PageKeys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event)) return;
      if (event.key === "?") keys.help();
      else if (event.key === "/") keys.filter();
      else {
        if (OF_LIST.test(event.key) && event.target === document.body) handToList(event);
        else if (/^[hr0+=_-]$/i.test(event.key)) keys.timeline(event);
        return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

/** The field may be inside a control's shadow DOM. */
function takesText(event: KeyboardEvent): boolean {
  return event
    .composedPath()
    .some(at => at instanceof HTMLElement && /^(INPUT|TEXTAREA|VSCODE-DROPDOWN)$/.test(at.tagName) && !isSwitch(at));
}

const isSwitch = (at: HTMLElement) => at instanceof HTMLInputElement && at.type === "radio";

function handToList(event: KeyboardEvent): void {
  const list = document.querySelector<HTMLElement>("[role=grid]");
  if (list === null) {
    // The browser itself scrolls a text that has the focus.
    document.querySelector<HTMLElement>(".transcript")?.focus();
    return;
  }
  event.preventDefault();
  list.focus();
  list.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: false }));
}
