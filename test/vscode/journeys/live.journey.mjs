// Coding with the panel open: results appear as Claude Code writes them. The latency is only printed: it depends on the
// machine.
import assert from "node:assert/strict";
import { body, eventually, inWorkbench } from "./workbench.mjs";

const APPENDS = 20;

export function journey(options) {
  return inWorkbench(options, async workbench => {
    const log = workbench.session(1, "Written while watched");
    for (const name of ["a.ts", "b.ts"]) log.read(name, body(name));
    const panel = await workbench.openPanel();
    const rows = panel.locator(".event-row");
    await eventually("both results", async () => (await rows.count()) === 2);
    assert.equal(await panel.locator(".event-hit").count(), 0);

    log.read("a.ts", body("a.ts"));
    await panel.locator(".event-hit").first().waitFor();
    assert.match(await panel.locator(".event-hit").first().textContent(), /a\.ts[\s\S]*= call 1/);

    const times = await latencies(panel, log);
    const [p50, p95] = [0.5, 0.95].map(share => times[Math.ceil(share * times.length) - 1]);
    console.log(`     append → visible: p50 ${p50} ms, p95 ${p95} ms, most ${times.at(-1)} ms (${APPENDS} appends;`);
    console.log("     seen by the page itself in the frame that draws it: a frame of 16 ms is the resolution)");
  });
}

/** How long each of some appends took until the page had drawn it, shortest first. */
async function latencies(panel, log) {
  const list = panel.locator(".event-list");
  // Measured in the page, on the same machine's clock: polling from outside would blur the figure.
  await list.evaluate(element => {
    const seen = new Map();
    window.seenRows = seen;
    new MutationObserver(() => {
      const count = Number(element.getAttribute("aria-rowcount"));
      requestAnimationFrame(() => requestAnimationFrame(() => seen.has(count) || seen.set(count, Date.now())));
    }).observe(element, { attributes: true, attributeFilter: ["aria-rowcount"] });
  });
  let count = Number(await list.getAttribute("aria-rowcount"));
  const times = [];
  for (let at = 0; at < APPENDS; at++) {
    // Out of step with any of the watcher's timers.
    await new Promise(resolve => setTimeout(resolve, 300 + 37 * (at % 7)));
    const appendedAt = Date.now();
    log.read(`file ${at % 4}.ts`, body(`file ${at % 4}`));
    count++;
    const seenAt = await eventually(`row ${count}`, () => list.evaluate((_, row) => window.seenRows.get(row), count));
    times.push(seenAt - appendedAt);
  }
  return times.sort((left, right) => left - right);
}
