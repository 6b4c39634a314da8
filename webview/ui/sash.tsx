import type { Signal } from "@preact/signals";
import type { VNode } from "preact";

interface SashProps {
  readonly label: string;
  /** Between two columns, or between two rows. */
  readonly direction: "columns" | "rows";
  /** The share of the first pane, from 0 to 1. */
  readonly share: Signal<number>;
  readonly initial: number;
}

const MIN_SHARE = 0.15;
const MAX_SHARE = 0.85;
const STEP = 0.02;

/** A bar between two panes: drag it, or focus it and use the arrow keys, Home, End or a double click. */
export function Sash({ label, direction, share, initial }: SashProps): VNode {
  const columns = direction === "columns";
  const set = (value: number) => {
    share.value = Math.min(MAX_SHARE, Math.max(MIN_SHARE, value));
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
    else if (event.key === "Home") set(MIN_SHARE);
    else if (event.key === "End") set(MAX_SHARE);
    else if (event.key === "Enter") set(initial);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> cannot be dragged; this separator can.
    <div
      class={`splitter splitter-${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={columns ? "vertical" : "horizontal"}
      aria-valuemin={MIN_SHARE * 100}
      aria-valuemax={MAX_SHARE * 100}
      aria-valuenow={Math.round(share.value * 100)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={() => set(initial)}
    />
  );
}
