/** The form in which Claude Code writes times, in UTC; on these days, which every month has, it is always one. */
const USUAL_TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** In any time zone, but in one: `Date` takes far more for a time, such as "x 5". */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A line's timestamp in the usual form, in which times are sorted as texts; null if it is missing or not a time. One that
 * only looks like a time would end up in figures as NaN, and would throw as soon as somebody wants to print it.
 */
export function timestampOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  if (USUAL_TIME.test(value)) return value;
  return ISO_TIME.test(value) ? sortableTime(value) : null;
}

/** Null if it is no time, or one before the year 0 or after 9999, which has another form. */
export function sortableTime(text: string): string | null {
  const time: string | null = new Date(text).toJSON();
  return time?.length === "2026-01-02T03:04:05.678Z".length ? time : null;
}
