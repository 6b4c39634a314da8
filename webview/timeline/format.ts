const UNITS = ["", "k", "M", "G"];

/** 1,900 → "1.9k": the picture has no room for more, and an estimate deserves none. */
export function shortNumber(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)}${UNITS[unit]}`;
}

// Making a formatter costs more than a frame has time for.
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 1234567 → "1,234,567". */
export function wholeNumber(value: number): string {
  return grouped.format(value);
}

/** Local date and time of a moment in seconds since 1970. */
export function dateAndTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** Seconds that local clocks are ahead of UTC at a moment. */
export function clockOffset(seconds: number): number {
  return -60 * new Date(seconds * 1000).getTimezoneOffset();
}
