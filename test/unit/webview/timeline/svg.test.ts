import { describe, expect, it } from "vitest";
import { SvgPen } from "../../../../webview/timeline/draw/svgPen.js";
import { timelineSvg } from "../../../../webview/timeline/timelineSvg.js";
import { inputOf, manyResults, mark } from "./support.js";

describe("SvgPen", () => {
  it("draws shapes in the classes of their colours", () => {
    const pen = new SvgPen("p");
    pen.fillStyle = "hit";
    pen.globalAlpha = 0.25;
    pen.fillRect(1, 2.004, 3, 4);
    pen.globalAlpha = 1;
    pen.strokeStyle = "miss";
    pen.lineWidth = 2;
    pen.setLineDash([3, 1]);
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.lineTo(5, 5);
    pen.closePath();
    pen.stroke();
    expect(pen.svg.split("\n")).toEqual([
      '<rect class="f-hit" opacity="0.25" x="1" y="2" width="3" height="4"/>',
      '<path class="s-miss" stroke-width="2" stroke-dasharray="3 1" d="M0 0L5 5Z"/>',
    ]);
  });

  it("draws a whole circle, which SVG has no single arc for", () => {
    const pen = new SvgPen("p");
    pen.beginPath();
    pen.arc(10, 10, 5, 0, 2 * Math.PI);
    pen.fill();
    expect(pen.svg).toContain('d="M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10"');
  });

  it("clips what is drawn until the pen is restored, and restores its settings", () => {
    const pen = new SvgPen("p");
    pen.fillStyle = "hit";
    pen.save();
    pen.fillStyle = "miss";
    pen.beginPath();
    pen.rect(0, 0, 9, 9);
    pen.clip();
    pen.fillRect(0, 0, 1, 1);
    pen.restore();
    pen.fillRect(0, 0, 1, 1);
    expect(pen.svg.replaceAll("\n", "")).toMatch(
      /^<clipPath id="p-1">.*<g clip-path="url\(#p-1\)"><rect class="f-miss"[^>]*><\/g><rect class="f-hit"/,
    );
  });

  it("writes text, never markup", () => {
    const pen = new SvgPen("p");
    pen.fillText('<b a="&">', 1, 2);
    expect(pen.svg).toContain(">&lt;b a=&quot;&amp;&quot;&gt;</text>");
  });
});

describe("timelineSvg", () => {
  it("has a mark for each result and everything else that the page draws", () => {
    const marks = [mark("boundary", 2, { partition: 1, trigger: "auto", kept: [] })];
    const input = inputOf([{}, { outcome: "hit", ref: 0, saved: 300 }, { tool: "Edit", partition: 1 }], marks);
    const svg = timelineSvg({ ...input, requests: [0, 5000, 0, 0, 0] }, "t");
    expect(svg).toContain('aria-label="3 results, 1 repeats, 2 partitions"');
    for (const text of ["Read", "Edit", "Partition 0", "Partition 1", "5.0k"]) expect(svg).toContain(`>${text}<`);
    expect(svg.match(/<path class="f-hit" d=/g)).toHaveLength(1);
  });

  it("closes what it opens, even if bars represent many results", () => {
    for (const results of [0, 1, 5000]) {
      const svg = timelineSvg(inputOf(manyResults(results)), "t");
      const opened: string[] = [];
      for (const [, end, name = "", alone] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
        if (end) expect(opened.pop()).toBe(name);
        else if (!alone) opened.push(name);
      }
      expect(opened).toEqual([]);
      expect(svg.length).toBeLessThan(500_000);
    }
  });
});
