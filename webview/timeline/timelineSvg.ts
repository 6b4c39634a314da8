import { withoutMarkup } from "../../src/words/text.js";
import { summaryOf } from "./describe.js";
import type { Theme } from "./draw/colors.js";
import { paintShape } from "./draw/markShapes.js";
import { drawScene } from "./draw/picture.js";
import { SvgPen } from "./draw/svgPen.js";
import { whole } from "./layout/scale.js";
import { sceneOf } from "./layout/scene.js";
import { layoutOf } from "./layout/timelineLayout.js";
import { axisOf } from "./model/axis.js";
import { Levels } from "./model/levels.js";
import { TimelineModel } from "./model/timelineModel.js";
import type { TimelineInput } from "./types.js";

/** Class names: with the prefix `f-` they fill with the colour, with `s-` they stroke with it. */
const COLORS = {
  foreground: "foreground",
  muted: "muted",
  background: "background",
  border: "border",
  focus: "focus",
  hit: "hit",
  miss: "miss",
  forgone: "forgone",
  invalidated: "invalidated",
  native: "native",
} as const;

export const SVG_COLORS = Object.values(COLORS);

const THEME: Theme = { ...COLORS, contrast: false, fontFamily: "sans-serif", fontSize: 11 };
const LANE = 30;
const OTHER_PARTS = 110;

/** The timeline of a whole context as SVG, for documents: drawn by the same code as on the page. `name`: an id. */
export function timelineSvg(input: TimelineInput, name: string, width = 1000): string {
  const model = new TimelineModel(input.rows);
  model.grow(input);
  const axis = axisOf(model, "order");
  const passes = () => true;
  const layout = layoutOf(width, OTHER_PARTS + LANE * Math.max(2, model.lanes.length), model.lanes);
  const scene = sceneOf({ model, axis, levels: new Levels(model, axis, passes), passes }, layout, whole(axis));
  const pen = new SvgPen(name);
  drawScene(pen, THEME, scene, {
    stamp: (shape, x, y, radius) => paintShape(pen, THEME, shape, x, y, radius),
    bars: draw => draw(pen),
  });
  // The minimap below the ruler would show nothing that the picture does not.
  const { ruler } = layout;
  const height = ruler.y + ruler.height;
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${withoutMarkup(summaryOf(model))}">\n${pen.svg}\n</svg>`;
}
