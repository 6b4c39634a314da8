const UNITS = ["", "k", "M", "G", "T"];

/** 1234 → "1.2k": an estimate deserves no more than three significant digits. */
export function short(value: number): string {
  let size = Math.abs(value);
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? Math.round(size).toString() : size.toFixed(1);
  return `${value < 0 ? "-" : ""}${digits}${UNITS[unit]}`;
}

export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = (100 * part) / whole;
  return `${share === 0 || share >= 10 ? Math.round(share) : share.toFixed(share >= 0.095 ? 1 : 2)} %`;
}

/** 1234567 → "1,234,567". By hand: the runtime's first locale-aware formatting takes tens of milliseconds. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The local time of day for seconds since 1970: "14:05". */
export function clockTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return [time.getHours(), time.getMinutes()].map(part => String(part).padStart(2, "0")).join(":");
}
