import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { focusList } from "./dom.js";

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    list.addEventListener("change", update);
    update();
    return () => list.removeEventListener("change", update);
  }, [query]);
  return matches;
}

/** For a part of the page that goes away: if it has the focus then, that moves to the list or where `move` says. */
export function useFocusLeaving<E extends HTMLElement>(move: () => void = focusList): RefObject<E> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (current?.contains(document.activeElement)) move();
    };
  }, []);
  return element;
}

/** For a part of the page that stays: if what has the focus in it goes away, the focus moves as above. */
export function useFocusKept<E extends HTMLElement>(move: () => void = focusList): RefObject<E> {
  const element = useRef<E>(null);
  // Here, nothing has gone yet.
  const hadFocus = element.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) move();
  });
  return element;
}

interface ElementRef {
  readonly current: HTMLElement | null;
}

/** An element's width, kept up to date. Infinite until it is known: most panels are wide. */
export function useWidth(element: ElementRef): number {
  return useSize(element, "clientWidth", Number.POSITIVE_INFINITY);
}

/** An element's height, kept up to date. 0 until it is known. */
export function useHeight(element: ElementRef): number {
  return useSize(element, "clientHeight", 0);
}

function useSize(element: ElementRef, of: "clientWidth" | "clientHeight", initial: number): number {
  const [size, setSize] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setSize(current[of]);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element, of]);
  return size;
}
