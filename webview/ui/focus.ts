/** For when what had the focus goes away: the list is where most ways lead from. */
export function focusList(): void {
  // After the next drawing, when the list is there again.
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[role=grid]")?.focus());
}
