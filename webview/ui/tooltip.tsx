import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface TooltipProps {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly text: string;
}

const MARGIN = 8;

/** An explanation beside a thing that is hovered or focused. */
export function Tooltip({ id, anchor, text }: TooltipProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const place = anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(MARGIN, Math.min(place.left, innerWidth - width - MARGIN))}px`;
    const below = place.bottom + 4;
    element.style.top = `${below + height <= innerHeight ? below : Math.max(0, place.top - height - 4)}px`;
  });
  return (
    <div class="tooltip" role="tooltip" id={id} ref={box}>
      {text}
    </div>
  );
}
