/**
 * Where a key moves a list's cursor; undefined for a key that does not move it. `index` is -1 for no cursor, and halfway
 * between two items for one that is not in the list.
 */
export function movedIndex(key: string, index: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const within = (to: number) => Math.max(0, Math.min(count - 1, to));
  switch (key) {
    case "ArrowDown":
      return within(Math.floor(index + 1));
    case "ArrowUp":
      return within(index === -1 ? count - 1 : Math.ceil(index - 1));
    case "PageDown":
      return within(Math.floor(index + page));
    case "PageUp":
      return within(Math.ceil(index - page));
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
