/** What a key does. */
export type Action =
  | { readonly do: "step"; readonly by: 1 | -1 }
  | { readonly do: "lane"; readonly by: 1 | -1 }
  | { readonly do: "hit"; readonly by: 1 | -1 }
  | { readonly do: "partition"; readonly by: 1 | -1 }
  | { readonly do: "end"; readonly by: 1 | -1 }
  | { readonly do: "zoom"; readonly factor: number }
  | { readonly do: "fit" | "reference" | "open" | "deselect" };

export interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

export const ZOOM_STEP = 1.5;

/** Keys with Ctrl, Alt or Cmd belong to VS Code and the browser. */
export function actionOf({ key, shiftKey, ctrlKey, altKey, metaKey }: Key): Action | null {
  if (ctrlKey || altKey || metaKey) return null;
  switch (key) {
    case "ArrowLeft":
      return { do: "step", by: -1 };
    case "ArrowRight":
      return { do: "step", by: 1 };
    case "ArrowUp":
      return { do: "lane", by: -1 };
    case "ArrowDown":
      return { do: "lane", by: 1 };
    case "Home":
      return { do: "end", by: -1 };
    case "End":
      return { do: "end", by: 1 };
    case "PageUp":
      return { do: "partition", by: -1 };
    case "PageDown":
      return { do: "partition", by: 1 };
    // With caps lock, "H" comes without shift: only the shift key reverses the direction.
    case "h":
    case "H":
      return { do: "hit", by: shiftKey ? -1 : 1 };
    case "+":
    case "=":
      return { do: "zoom", factor: 1 / ZOOM_STEP };
    case "-":
    case "_":
      return { do: "zoom", factor: ZOOM_STEP };
    case "0":
      return { do: "fit" };
    case "r":
    case "R":
      return { do: "reference" };
    case "Enter":
      return { do: "open" };
    case "Escape":
      return { do: "deselect" };
    default:
      return null;
  }
}

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
/** One notch of a wheel, 100 pixels or more, zooms by 1.4; a pinch arrives as many small steps and zooms smoothly. */
const MAX_ZOOM = 0.35;

/** What a turn of the wheel means: a zoom factor, or pixels to move to the right. */
export function wheelMove(wheel: Wheel): { zoom: number; pan: number } {
  const unit = PX_PER_UNIT[wheel.deltaMode] ?? 1;
  if (wheel.ctrlKey || wheel.metaKey) {
    const turned = wheel.deltaY * unit * 0.01;
    return { zoom: Math.exp(Math.max(-MAX_ZOOM, Math.min(MAX_ZOOM, turned))), pan: 0 };
  }
  const sideways = Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY) ? wheel.deltaX : wheel.deltaY;
  return { zoom: 1, pan: sideways * unit };
}
