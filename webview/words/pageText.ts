/** Texts that only the page needs: names of sessions, ages and times. Everything else is in src/words. */
import type { SessionItem } from "../../src/protocol/messages.js";
import { grouped } from "../../src/words/numbers.js";
import { strings } from "../../src/words/strings.js";
import { fill, visible } from "../../src/words/text.js";

export * from "../../src/words/numbers.js";
export { strings } from "../../src/words/strings.js";
export * from "../../src/words/text.js";

export function callNumber(row: number): string {
  return grouped(row + 1);
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** The last folder of a project's path: what people call it. */
export function projectName(path: string): string {
  return visible(baseName(path), 80);
}

export function titleOf({ title }: SessionItem): string {
  return visible(title, 200) || strings.bar.noTitle;
}

export function sessionName(item: SessionItem): string {
  return `${projectName(item.project)} · ${titleOf(item)}`;
}

/** A path relative to the project, as people refer to it. */
export function pathInside(project: string, path: string): string {
  const folder = `${project.replaceAll("\\", "/")}/`;
  return project !== "" && path.startsWith(folder) ? path.slice(folder.length) : path;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;

/** How long ago, in the largest unit that fits: "12 min"; "" if unknown. */
export function ageText(iso: string, nowMs: number): string {
  const { now, minutes, hours, days, months } = strings.bar;
  const age = ageOf(iso, nowMs);
  if (age === undefined) return "";
  return age.n === 0 ? now : fill({ minute: minutes, hour: hours, day: days, month: months }[age.unit], { n: age.n });
}

/** The same in a sentence: "7 months ago". */
export function agoText(iso: string, nowMs: number, language: string): string {
  const age = ageOf(iso, nowMs);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return age === undefined ? "" : format.format(-age.n, age.unit);
}

function ageOf(
  iso: string,
  nowMs: number,
): { readonly n: number; readonly unit: "minute" | "hour" | "day" | "month" } | undefined {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  const whole = (unit: number) => Math.max(0, Math.floor(seconds / unit));
  if (seconds < HOUR) return { n: whole(MINUTE), unit: "minute" };
  if (seconds < DAY) return { n: whole(HOUR), unit: "hour" };
  return seconds < MONTH ? { n: whole(DAY), unit: "day" } : { n: whole(MONTH), unit: "month" };
}

/** Local time of a moment in seconds since 1970, with the date unless it is less than a day away. */
export function timeText(seconds: number, nowMs: number): string {
  if (Math.abs(nowMs / 1000 - seconds) > DAY) return clockText(seconds);
  return new Date(seconds * 1000).toLocaleTimeString(undefined, { timeStyle: "short" });
}

/** Local date and time of a moment in seconds since 1970; "" for 0, which means unknown. */
export function clockText(seconds: number): string {
  if (seconds === 0) return "";
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "short", timeStyle: "medium" });
}
