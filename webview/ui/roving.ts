import { useRef, useState } from "preact/hooks";

/** One tab stop for a group of buttons: arrow keys, Home and End move within it. */
export function useRoving(count: number): {
  readonly tabIndexOf: (index: number) => number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
  readonly group: { current: HTMLDivElement | null };
} {
  const group = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const stop = Math.min(current, count - 1);
  const buttons = () => [...(group.current?.querySelectorAll<HTMLElement>("[data-roving]") ?? [])];
  return {
    group,
    tabIndexOf: index => (index === stop ? 0 : -1),
    onFocusIn: event => {
      const index = buttons().indexOf(
        (event.target as HTMLElement).closest<HTMLElement>("[data-roving]") as HTMLElement,
      );
      if (index >= 0) setCurrent(index);
    },
    onKeyDown: event => {
      const to = nextIndex(event.key, stop, count);
      if (to === undefined) return;
      event.preventDefault();
      buttons()[to]?.focus();
    },
  };
}

function nextIndex(key: string, current: number, count: number): number | undefined {
  if (key === "ArrowRight" || key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowLeft" || key === "ArrowUp") return (current + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
