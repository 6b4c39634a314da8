import { describe, expect, it } from "vitest";
import { rounded } from "../../../src/inspect/figures.js";
import { applyDelta, openState } from "../../../src/protocol/apply.js";
import type { PanelState } from "../../../src/protocol/messages.js";
import { FigureKeeper } from "../../../webview/lib/contextFigures.js";
import { reportOf } from "../../support/replay.js";
import { sampleText } from "../../support/sample.js";
import { grownBetween, live, replayed, stateOf } from "./context.js";

const log = replayed(sampleText());

describe("the page's figures", () => {
  it("match the report, partition by partition and point by point", () => {
    const figures = new FigureKeeper().update(live(stateOf(log)));
    const main = { ...log, contexts: log.contexts.filter(({ id }) => id === "main") };
    const report = reportOf([main]);
    const partitions = report.sessions[0]?.contexts[0]?.partitions.map(({ index: _, ...partition }) => partition);
    expect(figures.partitions.map(rounded)).toEqual(partitions);
    const { sessions: _sessions, copiedResults: _copies, ...totals } = report.totals;
    expect(rounded(figures.total)).toEqual(totals);
    const sweep = figures.sweep.map(point => ({ ...point, savedTokens: Math.round(point.savedTokens) }));
    expect(sweep).toEqual(report.sweep);
  });

  it("are the same whether rows come at once or line by line", () => {
    const lines = sampleText().split(/(?<=\n)/);
    const keeper = new FigureKeeper();
    let known = stateOf(replayed(lines.slice(0, 40).join("")));
    const panel = openState({ context: known } as PanelState);
    for (let count = 40; count <= lines.length; count += 10) {
      const next = stateOf(replayed(lines.slice(0, count).join("")));
      expect(applyDelta(panel, { grown: grownBetween(known, next) })).toBe(true);
      if (panel.context !== null) keeper.update(panel.context);
      known = next;
    }
    const grown = panel.context && keeper.update(panel.context);
    const fresh = new FigureKeeper().update(live(known));
    expect(rounded(grown?.total ?? fresh.total)).toEqual(rounded(fresh.total));
    expect(grown?.partitions.map(rounded)).toEqual(fresh.partitions.map(rounded));
    expect(grown?.sweep.map(point => Math.round(point.savedTokens))).toEqual(
      fresh.sweep.map(point => Math.round(point.savedTokens)),
    );
  });

  it("start over with another context", () => {
    const keeper = new FigureKeeper();
    const first = keeper.update(live(stateOf(log))).total.results;
    expect(keeper.update(live(stateOf(log))).total.results).toBe(first);
  });
});
