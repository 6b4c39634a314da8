/**
 * A line's timestamp as written; null if it is missing or not a time. One that only looks like a time would end up in
 * figures as NaN, and would throw as soon as somebody wants to print it.
 */
export function timestampOf(value: unknown): string | null {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : null;
}
