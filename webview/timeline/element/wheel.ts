export interface Wheel {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0: pixels, 1: lines, 2: pages. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const PX_PER_UNIT = [1, 16, 400];
/** One notch of a wheel, 100 pixels or more, zooms by 1.4; a pinch comes as many small steps and zooms smoothly. */
const MOST_ZOOM = 0.35;

/** What a turn of the wheel means: a zoom factor, or pixels to move to the right. */
export function wheelMove(wheel: Wheel): { zoom: number; pan: number } {
  const unit = PX_PER_UNIT[wheel.deltaMode] ?? 1;
  if (wheel.ctrlKey || wheel.metaKey) {
    const turned = wheel.deltaY * unit * 0.01;
    return { zoom: Math.exp(Math.max(-MOST_ZOOM, Math.min(MOST_ZOOM, turned))), pan: 0 };
  }
  const sideways = Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY) ? wheel.deltaX : wheel.deltaY;
  return { zoom: 1, pan: sideways * unit };
}
