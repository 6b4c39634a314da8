import type { ComponentChildren, JSX, VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heights } from "../lib/heights.js";
import { useFocusKept } from "./hooks.js";

interface MeasuredRowsProps {
  readonly count: number;
  /** The estimated height of an item that has not been measured yet. */
  readonly estimate: number;
  /** Scrolled to whenever it or `chosen` changes; -1 for none. */
  readonly target: number;
  readonly chosen: unknown;
  readonly renderItem: (index: number) => ComponentChildren;
  readonly attributes: JSX.HTMLAttributes<HTMLDivElement>;
}

const OVERSCAN_PX = 300;

/**
 * A long list of items of any height. The item at the top of the view is the anchor: whatever is measured or loaded
 * above or below it, it stays where it is.
 */
export function MeasuredRows({ count, estimate, target, chosen, renderItem, attributes }: MeasuredRowsProps): VNode {
  const scroller = useFocusKept<HTMLDivElement>(() => scroller.current?.focus({ preventScroll: true }));
  const heights = useMemo(() => new Heights(estimate), [estimate]);
  const anchor = useRef({ index: 0, offset: 0 });
  const [view, setView] = useState({ top: 0, height: 600 });
  const [, setMeasured] = useState(0);
  heights.resize(count);

  const restore = () => {
    const element = scroller.current;
    if (element === null) return;
    const top = heights.top(anchor.current.index) + anchor.current.offset;
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top;
    see(element);
  };
  const see = ({ scrollTop, clientHeight }: HTMLDivElement) => {
    setView(seen =>
      seen.top === scrollTop && seen.height === clientHeight ? seen : { top: scrollTop, height: clientHeight },
    );
  };
  const observer = useMemo(() => {
    const resized = new Set<HTMLElement>();
    const measure = () => {
      let changed = false;
      for (const item of resized) {
        if (item.isConnected) changed = heights.set(Number(item.dataset["index"]), item.offsetHeight) || changed;
      }
      resized.clear();
      if (changed) setMeasured(times => times + 1);
    };
    // In the next frame: measuring renders other items, and an observer must not trigger itself.
    return new ResizeObserver(entries => {
      if (resized.size === 0) requestAnimationFrame(measure);
      for (const { target: item } of entries) resized.add(item as HTMLElement);
    });
  }, [heights]);

  useLayoutEffect(() => () => observer.disconnect(), [observer]);
  useLayoutEffect(() => {
    if (target < 0) return;
    anchor.current = { index: target, offset: 0 };
    restore();
  }, [target, chosen]);
  // After every render: measurements may have moved the anchor.
  useLayoutEffect(restore);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const top = element.scrollTop;
    const expected = heights.top(anchor.current.index) + anchor.current.offset;
    if (Math.abs(top - expected) > 1) {
      const index = heights.at(top);
      anchor.current = { index, offset: top - heights.top(index) };
    }
    see(element);
  };

  const first = heights.at(Math.max(0, view.top - OVERSCAN_PX));
  const items: VNode[] = [];
  for (let index = first; index < count && heights.top(index) < view.top + view.height + OVERSCAN_PX; index++) {
    items.push(
      <div
        key={index}
        data-index={index}
        ref={item => {
          if (item) observer.observe(item);
        }}
      >
        {renderItem(index)}
      </div>,
    );
  }
  return (
    <div {...attributes} ref={scroller} onScroll={onScroll}>
      <div class="virtual-space" role="presentation" style={{ height: `${heights.total}px` }}>
        <div class="virtual-window" role="presentation" style={{ transform: `translateY(${heights.top(first)}px)` }}>
          {items}
        </div>
      </div>
    </div>
  );
}
