import { grouped } from "../../../src/words/numbers.js";
import type { AxisName } from "../types.js";

export interface Tick {
  readonly position: number;
  readonly label: string;
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const DAY = 86_400;

/** Round steps of 1, 2 and 5 for results; the steps of a clock for time. */
function tickStep(axis: AxisName, span: number, maxTicks: number): number {
  const minStep = span / Math.max(1, maxTicks);
  if (axis === "time") return SECONDS.find(step => step >= minStep) ?? Math.ceil(minStep / DAY) * DAY;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, minStep)));
  const factor = [1, 2, 5, 10].find(step => step * magnitude >= minStep) ?? 10;
  return factor * magnitude;
}

/** Results are numbered from 1, so the ticks are 100, 200, … and the first result. */
export function orderTicks(from: number, to: number, maxTicks: number): Tick[] {
  const step = tickStep("order", to - from, maxTicks);
  const ticks: Tick[] = [];
  for (let number = Math.ceil((from + 1) / step) * step; number <= to + 1; number += step) {
    if (number > 0) ticks.push({ position: number - 1, label: grouped(number) });
  }
  return ticks;
}

/** Ticks at round local times. `origin`: the moment of position 0, in seconds since 1970. */
export function timeTicks(from: number, to: number, maxTicks: number, origin: number, offset: number): Tick[] {
  const step = tickStep("time", to - from, maxTicks);
  const local = origin + offset;
  const ticks: Tick[] = [];
  for (let moment = Math.ceil((from + local) / step) * step; moment <= to + local; moment += step) {
    ticks.push({ position: moment - local, label: clock(moment, step) });
  }
  return ticks;
}

/** `moment` is in local seconds already, so it is read as if it were UTC. */
function clock(moment: number, step: number): string {
  const iso = new Date(moment * 1000).toISOString();
  if (moment % DAY === 0) return iso.slice(5, 10);
  return step < 60 ? iso.slice(11, 19) : iso.slice(11, 16);
}
