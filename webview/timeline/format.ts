/** Local date and time of a moment in seconds since 1970. */
export function dateAndTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** Seconds that local clocks are ahead of UTC at a moment. */
export function clockOffset(seconds: number): number {
  return -60 * new Date(seconds * 1000).getTimezoneOffset();
}
