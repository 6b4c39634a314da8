import { strings } from "../../../src/words/strings.js";
import { visibleBands, visibleEvents } from "../layout/bands.js";
import type { Scene } from "../layout/scene.js";
import { drawArea, drawAreaLabel } from "./area.js";
import { drawBands, drawLanes } from "./backdrop.js";
import { drawHeaders } from "./bandHeaders.js";
import { drawBins } from "./bins.js";
import { fontOf, type Theme } from "./colors.js";
import { drawAllMarks, type Stamp } from "./marks.js";
import { apart, type BarPen, clipTo, type Pen } from "./pen.js";
import { drawEventLines, drawRuler } from "./ruler.js";

/** Faster ways to draw things that come in thousands. */
export interface Tools {
  readonly stamp: Stamp;
  bars(draw: (pen: BarPen) => void): void;
}

/** The picture without selection, hover and minimap: drawn when the view, the data, the size or the theme changes. */
export function drawScene(pen: Pen, theme: Theme, scene: Scene, tools: Tools): void {
  const { layout, model } = scene;
  pen.clearRect(0, 0, layout.width, layout.height);
  if (model.length === 0) return drawEmpty(pen, theme, scene);
  const bands = visibleBands(scene);
  const events = visibleEvents(scene);
  drawBands(pen, theme, layout, bands);
  drawLanes(pen, theme, layout);
  drawAreaLabel(pen, theme, scene);
  drawRuler(pen, theme, scene, events);
  apart(pen, () => {
    clipTo(pen, { ...layout.plot, height: layout.ruler.y + layout.ruler.height });
    drawArea(pen, theme, scene);
    drawEventLines(pen, theme, scene, events);
    drawHeaders(pen, theme, scene, bands);
    if (scene.level === null) drawAllMarks(pen, theme, scene, tools.stamp);
    else tools.bars(bars => drawBins(bars, theme, scene));
  });
}

function drawEmpty(pen: Pen, theme: Theme, { layout }: Scene): void {
  pen.font = fontOf(theme);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = theme.muted;
  pen.fillText(strings.timeline.empty, layout.width / 2, layout.height / 2);
}
