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
  return `${value < 0 && digits !== "0" ? "-" : ""}${digits}${UNITS[unit]}`;
}

/** Sums of fractions differ by this much even if they have the same terms. */
const INEXACT = 1e-9;

/** A part is never shown as the whole, and something never as nothing. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = (100 * part) / whole;
  const size = Math.abs(share);
  if (size < INEXACT) return "0 %";
  if (size < 0.005) return share > 0 ? "< 0.01 %" : "> -0.01 %";
  if (share >= 99.5 && share < 100 - INEXACT) return "> 99 %";
  return `${share.toFixed(size >= 9.95 ? 0 : size >= 0.095 ? 1 : 2)} %`;
}

/** 1234567 → "1,234,567". By hand: the runtime's first locale-aware formatting takes tens of milliseconds. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The local date of a time in ISO 8601, which usually is in UTC: "2026-11-17"; "" if it is none. */
export function localDate(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(part => String(part).padStart(2, "0")).join("-");
}

/** The local time of day for seconds since 1970: "14:05". */
export function clockTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return [time.getHours(), time.getMinutes()].map(part => String(part).padStart(2, "0")).join(":");
}
