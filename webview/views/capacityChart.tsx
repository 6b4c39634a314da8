import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { colour, themeVersion } from "../theme.js";
import { short, strings } from "../words/pageText.js";
import type { SweepViewProps } from "./capacities.js";

const HEIGHT = 170;

/** Saved tokens over the capacity: how much a larger cache would bring. The table below says the same in numbers. */
export function CapacityChart(props: SweepViewProps): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { sweep, present, advised, picked } = props;
  const theme = themeVersion.value;
  const numbers = sweep.map(({ savedTokens }) => Math.round(savedTokens)).join();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const points = latest.current.sweep.filter(({ capacity }) => capacity !== null);
    const data: uPlot.AlignedData = [points.map(point => point.capacity ?? 0), points.map(point => point.savedTokens)];
    const chart = new uPlot(optionsFor(element.clientWidth, latest), data, element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    chart.over.addEventListener("click", () => {
      const capacity = points[chart.cursor.idx ?? -1]?.capacity;
      if (capacity) latest.current.onPick(capacity);
    });
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [numbers, present, advised, picked, theme]);

  // An image to assistive technology: the table has everything that is in it.
  return <div class="capacity-chart" ref={frame} aria-hidden="true" />;
}

function optionsFor(width: number, latest: { readonly current: SweepViewProps }): uPlot.Options {
  const muted = colour("--vscode-descriptionForeground");
  const grid = colour("--grid-line") || colour("--vscode-panel-border");
  const font = `11px ${colour("--vscode-font-family") || "sans-serif"}`;
  const axis = { stroke: muted, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font };
  const unbounded = latest.current.sweep.at(-1)?.savedTokens ?? 0;
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false },
      y: false,
      points: { size: 8, fill: colour("--hit"), stroke: colour("--hit") },
    },
    scales: { x: { time: false, range: [0.5, 32.5] }, y: { range: [0, Math.max(1, unbounded * 1.12)] } },
    axes: [
      {
        ...axis,
        size: 24,
        values: (_chart, splits) => splits.map(String),
        splits: () => [1, 4, 8, 12, 16, 20, 24, 28, 32],
      },
      { ...axis, size: 44, values: (_chart, splits) => splits.map(short), space: 30 },
    ],
    series: [
      {},
      {
        stroke: colour("--hit"),
        fill: colour("--hit-soft"),
        width: 2,
        points: { show: false },
        paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder,
      },
    ],
    hooks: { draw: [chart => drawNotes(chart, latest.current, unbounded, font)] },
  };
}

/** The current setting, the recommended one, and what an unlimited cache would save. */
function drawNotes(chart: uPlot, props: SweepViewProps, unbounded: number, font: string): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const savedAt = (capacity: number) =>
    props.sweep.find(point => point.capacity === capacity)?.savedTokens ?? unbounded;
  const xOf = (capacity: number) => chart.valToPos(Math.min(32, capacity), "x", true);
  ctx.save();
  ctx.lineWidth = ratio;
  ctx.font = font.replace("11px", `${11 * ratio}px`);
  const muted = colour("--vscode-descriptionForeground");
  const top = chart.valToPos(unbounded, "y", true);
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.strokeStyle = muted;
  line(ctx, bbox.left, top, bbox.left + bbox.width, top);
  ctx.fillStyle = muted;
  ctx.textAlign = "right";
  ctx.textBaseline = "bottom";
  ctx.fillText(strings.whatIf.unbounded, bbox.left + bbox.width - 4 * ratio, top - 2 * ratio);
  ctx.setLineDash([]);
  const note = (capacity: number, label: string, ink: string, row: number) => {
    const x = xOf(capacity);
    ctx.strokeStyle = ink;
    ctx.fillStyle = ink;
    line(ctx, x, bbox.top, x, bbox.top + bbox.height);
    ctx.beginPath();
    ctx.arc(x, chart.valToPos(savedAt(capacity), "y", true), 4 * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.textAlign = capacity > 24 ? "right" : "left";
    ctx.textBaseline = "bottom";
    ctx.fillText(label, x + (capacity > 24 ? -5 : 5) * ratio, bbox.top + bbox.height - (4 + row * 14) * ratio);
  };
  if (props.picked !== props.present && props.picked !== props.advised) {
    note(props.picked, String(props.picked), colour("--vscode-focusBorder"), 2);
  }
  if (props.advised !== null && props.advised !== props.present) {
    note(props.advised, `${props.advised} ${strings.whatIf.advised}`, colour("--hit"), 1);
  }
  note(props.present, `${props.present} ${strings.whatIf.present}`, colour("--vscode-foreground"), 0);
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}
