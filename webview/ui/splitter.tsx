import type { Signal } from "@preact/signals";
import type { VNode } from "preact";

interface SplitterProps {
  readonly label: string;
  /** Between two columns, or between two rows. */
  readonly direction: "columns" | "rows";
  /** The first part's share, 0 … 1. */
  readonly share: Signal<number>;
  readonly initial: number;
}

const LEAST = 0.15;
const MOST = 0.85;
const STEP = 0.02;

/** Drag it, or focus it and use the arrow keys; Home, End and a double click too. */
export function Splitter({ label, direction, share, initial }: SplitterProps): VNode {
  const columns = direction === "columns";
  const set = (value: number) => {
    share.value = Math.min(MOST, Math.max(LEAST, value));
  };
  const onPointerDown = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const area = bar.parentElement?.getBoundingClientRect();
    if (event.button !== 0 || area === undefined) return;
    event.preventDefault();
    bar.focus();
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = move => {
      set(columns ? (move.clientX - area.left) / area.width : (move.clientY - area.top) / area.height);
    };
    bar.onlostpointercapture = () => {
      bar.onpointermove = null;
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const less = columns ? "ArrowLeft" : "ArrowUp";
    const more = columns ? "ArrowRight" : "ArrowDown";
    if (event.key === less) set(share.value - STEP);
    else if (event.key === more) set(share.value + STEP);
    else if (event.key === "Home") set(LEAST);
    else if (event.key === "End") set(MOST);
    else if (event.key === "Enter") set(initial);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be moved; this separator can.
    <div
      class={`splitter splitter-${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={columns ? "vertical" : "horizontal"}
      aria-valuemin={LEAST * 100}
      aria-valuemax={MOST * 100}
      aria-valuenow={Math.round(share.value * 100)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={() => set(initial)}
    />
  );
}
