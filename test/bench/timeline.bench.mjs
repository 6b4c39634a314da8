// Pans and zooms the timeline with 100,000 results in headless Chromium and prints how long its frames take:
//   node test/bench/timeline.bench.mjs [--marks N] [--seconds N] [--axis order|time]
// "work" is a frame's script with the rasterising it causes, which a canvas without a GPU would otherwise defer.
// "CPU" is the time the page's thread worked on a frame, as counted by Chromium: other processes do not affect it.
// "empty" is the same for clearing and copying a canvas of the same size once: the lower bound on this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";
import { ensureChromium } from "../../scripts/system.mjs";
import { verdict } from "./table.mjs";

const BUDGET_MS = 16;
const { values } = parseArgs({
  options: {
    marks: { type: "string", default: "100000" },
    seconds: { type: "string", default: "6" },
    axis: { type: "string", default: "order" },
  },
});

const { path: executablePath, reason } = ensureChromium();
if (executablePath === undefined) throw new Error(reason);
const folder = mkdtempSync(join(tmpdir(), "timeline-bench-"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  await esbuild.build({
    entryPoints: [new URL("timelinePage.mjs", import.meta.url).pathname],
    bundle: true,
    minify: true,
    outdir: folder,
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  const page = await browser.newPage({ viewport: { width: 1100, height: 300 } });
  await page.setContent('<!doctype html><div id="root"></div>');
  await page.addStyleTag({ content: COLORS() });
  await page.addStyleTag({ path: join(folder, "timelinePage.css") });
  await page.addScriptTag({ path: join(folder, "timelinePage.js") });

  const marks = Number(values.marks);
  const opened = await page.evaluate(open, { marks, axis: values.axis });
  // People look before they move; the timeline uses that moment to prepare levels of detail.
  await page.waitForTimeout(1000);
  const moves = await page.evaluate(panAndZoom, Number(values.seconds) * 1000);
  const cpu = await cpuOfFrames(page, 270);
  const hover = await page.evaluate(hoverOver, 120);
  const append = await page.evaluate(appendMore, 60);
  const empty = await page.evaluate(emptyFrames, 120);

  console.log(`timeline, ${marks.toLocaleString("en-US")} results, ${values.axis} axis, 1100 x 300`);
  console.log(`first frame      ${opened.toFixed(1)} ms`);
  print("pan and zoom", moves, empty);
  print("  of it CPU", cpu, empty);
  print("hover", hover, empty);
  print("append 1 result", append, empty);
  print("empty", empty, empty);
  const p95 = quantile(cpu, 0.95);
  console.log(`must hold        ${verdict([`p95 of pan and zoom ≤ ${BUDGET_MS} ms CPU`, p95 <= BUDGET_MS])}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The work for each frame of the same movement, including the small cost of measuring it. */
async function cpuOfFrames(page, frames) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const times = [];
  for (let step = 0; step < frames; step++) {
    const before = await busy();
    await page.evaluate(step => window.move(step), step);
    times.push((await busy()) - before);
  }
  return times;
}

function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function print(name, times, empty) {
  const [p50, p95, max] = [0.5, 0.95, 1].map(share => quantile(times, share));
  const ratio = p50 / quantile(empty, 0.5);
  console.log(
    `${name.padEnd(16)} p50 ${p50.toFixed(2)}  p95 ${p95.toFixed(2)}  max ${max.toFixed(2)} ms` +
      `  (${times.length} frames, ${ratio.toFixed(1)} x empty)`,
  );
}

function COLORS() {
  const colors = { foreground: "#ccc", descriptionForeground: "#9d9d9d", "editor-background": "#181818" };
  Object.assign(colors, { "panel-border": "#2b2b2b", focusBorder: "#0078d4", "charts-green": "#89d185" });
  Object.assign(colors, { "charts-blue": "#3794ff", "charts-yellow": "#cca700", "charts-red": "#f14c4c" });
  Object.assign(colors, { "charts-purple": "#b180d7" });
  const variables = Object.entries(colors).map(([name, value]) => `--vscode-${name}:${value};`);
  return `:root{${variables.join("")}} html,body,#root{height:100%;margin:0} body{font:13px sans-serif}`;
}

// Everything below runs in the page.

/** Mounts the timeline and makes every later frame measurable. */
async function open({ marks, axis }) {
  window.times = [];
  const request = window.requestAnimationFrame.bind(window);
  // Reading a pixel back waits until everything drawn so far is on the canvas.
  window.settle = () => document.querySelector("canvas")?.getContext("2d")?.getImageData(0, 0, 1, 1);
  window.nextFrame = () => new Promise(resolve => request(() => setTimeout(resolve, 0)));
  window.requestAnimationFrame = callback =>
    request(now => {
      const start = performance.now();
      callback(now);
      window.settle();
      window.times.push(performance.now() - start);
    });
  /** Zooms all the way in and out at different places, and pans in between. */
  window.move = async step => {
    const canvas = document.querySelector("canvas");
    const wheel = more =>
      canvas.dispatchEvent(new WheelEvent("wheel", { clientY: 120, bubbles: true, cancelable: true, ...more }));
    const clientX = 560 + 400 * Math.sin(step / 37);
    const phase = step % 90;
    if (phase < 30) wheel({ clientX, ctrlKey: true, deltaY: -60 });
    else if (phase < 60) wheel({ clientX, deltaX: 40 * Math.sin(step) });
    else wheel({ clientX, ctrlKey: true, deltaY: 60 });
    await window.nextFrame();
  };
  window.timeline.mount({ count: marks, partitionEvery: marks / 12, axis });
  await window.nextFrame();
  await window.nextFrame();
  return window.times[0] ?? 0;
}

async function panAndZoom(milliseconds) {
  window.times.length = 0;
  const start = performance.now();
  for (let step = 0; performance.now() - start < milliseconds; step++) await window.move(step);
  return window.times;
}

async function hoverOver(frames) {
  const canvas = document.querySelector("canvas");
  window.timeline.props().handle.current.fitAll();
  for (let step = 0; step < 9; step++) window.timeline.props().handle.current.zoomIn();
  await window.nextFrame();
  window.times.length = 0;
  for (let step = 0; step < frames; step++) {
    const place = { clientX: 100 + step * 7, clientY: 60 + (step % 7) * 28, bubbles: true };
    canvas.dispatchEvent(new PointerEvent("pointermove", place));
    await window.nextFrame();
  }
  return window.times;
}

async function appendMore(frames) {
  window.timeline.props().handle.current.fitAll();
  await window.nextFrame();
  window.times.length = 0;
  for (let step = 0; step < frames; step++) {
    window.timeline.append(1);
    await window.nextFrame();
  }
  return window.times;
}

async function emptyFrames(frames) {
  const canvas = document.querySelector("canvas");
  const other = document.createElement("canvas");
  other.width = canvas.width;
  other.height = canvas.height;
  const [pen, layer] = [canvas.getContext("2d"), other.getContext("2d")];
  window.times.length = 0;
  for (let step = 0; step < frames; step++) {
    window.requestAnimationFrame(() => {
      layer.clearRect(0, 0, other.width, other.height);
      pen.clearRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(other, 0, 0);
    });
    await window.nextFrame();
  }
  return window.times;
}
