import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

interface PopupProps {
  /** What the popup is attached to; a click on it does not count as outside. */
  readonly anchor: { readonly current: HTMLElement | null };
  readonly onClose: () => void;
  readonly width: number;
  readonly label: string;
  readonly children: ComponentChildren;
}

const MARGIN = 6;

/**
 * A box over the page, below or above its anchor, wherever there is more room. Closes on Escape and when it loses the
 * focus.
 */
export function Popup({ anchor, onClose, width, label, children }: PopupProps): VNode {
  const box = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = box.current;
    const place = anchor.current?.getBoundingClientRect();
    if (element === null || place === undefined) return;
    const fits = Math.min(width, innerWidth - 2 * MARGIN);
    const below = innerHeight - place.bottom - MARGIN;
    const isBelow = below >= 180 || below >= place.top;
    element.style.width = `${fits}px`;
    element.style.left = `${Math.max(MARGIN, Math.min(place.left, innerWidth - fits - MARGIN))}px`;
    element.style.maxHeight = `${Math.max(80, isBelow ? below - 2 : place.top - MARGIN - 2)}px`;
    if (isBelow) element.style.top = `${place.bottom + 2}px`;
    else element.style.bottom = `${innerHeight - place.top + 2}px`;
  }, [anchor, width]);

  useEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && (box.current?.contains(target) || anchor.current?.contains(target));
    const onPointerDown = (event: Event) => {
      if (!isInside(event.target)) onClose();
    };
    const onFocusIn = (event: Event) => {
      if (!isInside(event.target)) onClose();
    };
    document.addEventListener("pointerdown", onPointerDown, true);
    document.addEventListener("focusin", onFocusIn);
    addEventListener("resize", onClose);
    addEventListener("blur", onClose);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown, true);
      document.removeEventListener("focusin", onFocusIn);
      removeEventListener("resize", onClose);
      removeEventListener("blur", onClose);
    };
  }, [anchor, onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
    anchor.current?.focus();
  };
  return (
    <div class="popup" ref={box} role="dialog" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

interface TooltipProps {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly text: string;
}

/** An explanation next to the hovered or focused element. */
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
