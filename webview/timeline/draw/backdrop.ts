import { strings } from "../../../src/words/strings.js";
import type { Band } from "../layout/bands.js";
import type { Layout } from "../layout/timelineLayout.js";
import { FAMILIES } from "../model/families.js";
import { fontOf, type Theme } from "./colors.js";
import type { Pen } from "./pen.js";

/** Every other partition is shaded. High contrast themes have only the dashed lines: shading would be noise. */
export function drawBands(pen: Pen, theme: Theme, layout: Layout, bands: readonly Band[]): void {
  if (theme.contrast) return;
  pen.fillStyle = theme.foreground;
  pen.globalAlpha = 0.045;
  for (const { partition, left, right } of bands) {
    if (partition % 2 === 1) pen.fillRect(left, 0, right - left, layout.plot.height);
  }
  pen.globalAlpha = 1;
}

export function drawLanes(pen: Pen, theme: Theme, layout: Layout): void {
  const { lanes, plot, compact } = layout;
  pen.strokeStyle = theme.border;
  pen.lineWidth = 1;
  pen.globalAlpha = theme.contrast ? 1 : 0.6;
  // A high contrast theme's border colour is as strong as a mark: dotted lines keep the lanes behind the marks.
  pen.setLineDash(theme.contrast ? [1, 4] : []);
  pen.beginPath();
  for (const lane of lanes) {
    const y = Math.round(lane.y + lane.height) - 0.5;
    pen.moveTo(plot.x, y);
    pen.lineTo(plot.x + plot.width, y);
  }
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
  pen.font = fontOf(theme);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillStyle = theme.muted;
  for (const { family, y, height } of lanes) {
    if (height < theme.fontSize * 0.8) continue;
    const { name, short } = strings.timeline.families[FAMILIES[family] ?? "other"];
    pen.fillText(compact ? short : name, plot.x - 6, y + height / 2 + 0.5);
  }
}
