/** The pane and the line of the mod as Claude Code draws them: trees of its own elements. */
import type { DedupSettings } from "../dedup/settings.js";
import { membersOf } from "../log/record.js";
import { type PaneBasis, type PaneLine, type PanePart, paneLines, plainLine, shortLine } from "../words/paneTexts.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import { Ledger } from "./ledger.js";

export const PANE = "dedup";

type Element = (props: Readonly<Record<string, unknown>>) => unknown;

/** The subset of Claude Code's elements used here. */
export interface Elements {
  readonly Box: Element;
  readonly Text: Element;
}

/** The minimum width of a terminal, and as many results as fit there with everything else. */
const TEXT_SIZE = { width: 80, results: 10 };
/** A pane above the prompt grows to a third of the window, and scrolls. */
const INLINE_RESULTS = 10;
/** Rows of a side pane other than results. */
const OTHER_ROWS = 9;

/** The record of one session. It ends on any error: there is no way to know what was missed. */
export class Pane {
  readonly #ledger: Ledger;
  #problem: string | undefined;
  /** Claude Code's own figures: it knows the window's size, and what a compaction left. */
  usage: Readonly<Record<"tokens" | "window", unknown>> | undefined;
  isOpen = false;
  /** Whether live hints are given. */
  isOn = true;

  constructor(settings: DedupSettings) {
    this.#ledger = new Ledger(settings);
  }

  note(write: (ledger: Ledger) => void): void {
    if (this.#problem !== undefined) return;
    try {
      write(this.#ledger);
    } catch (error) {
      this.#problem = String(error);
    }
  }

  /** Whether the session's log still has something to add. */
  get lacksLog(): boolean {
    return !this.#ledger.isCacheKnown;
  }

  /** What the command prints if nothing can draw the pane. */
  text(now: number): string {
    return [strings.pane.about, ...this.#lines(now, TEXT_SIZE).map(plainLine)].join("\n");
  }

  draw({ Box, Text }: Elements, props: unknown, now: number): unknown {
    const { bodyColumns, placement, scroll } = membersOf(props);
    const { bodyRows } = membersOf(scroll);
    const rows = placement === "dock" && typeof bodyRows === "number" ? bodyRows - OTHER_ROWS : INLINE_RESULTS;
    const width = typeof bodyColumns === "number" && bodyColumns > 0 ? bodyColumns : TEXT_SIZE.width;
    const lines = this.#lines(now, { width, results: Math.max(1, rows) });
    const children = [...lines, [{ text: strings.pane.close, tone: "faint" }] satisfies PaneLine];
    return Box({ flexDirection: "column", children: children.map(line => row({ Box, Text }, line)) });
  }

  /** One short line; undefined if there is nothing to show. */
  line({ Text }: Elements): unknown {
    const basis = this.#basis();
    const text = basis === undefined ? "" : shortLine(basis);
    return text === "" ? undefined : Text({ dimColor: true, wrap: "truncate-end", children: [text] });
  }

  #lines(now: number, size: { readonly width: number; readonly results: number }): PaneLine[] {
    const basis = this.#basis();
    if (basis !== undefined) return paneLines(basis, now, size);
    return [[{ text: fill(strings.pane.failed, { why: this.#problem ?? "" }), tone: "plain" }]];
  }

  #basis(): PaneBasis | undefined {
    let basis: PaneBasis | undefined;
    this.note(ledger => {
      basis = ledger.basis(this.isOn);
    });
    const { tokens, window } = this.usage ?? {};
    if (basis === undefined || !isCount(tokens) || !isCount(window)) return basis;
    return { ...basis, use: { tokens, cachedUntil: undefined, ...basis.use, window } };
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

const TONES: Readonly<Record<PanePart["tone"], Readonly<Record<string, unknown>>>> = {
  plain: {},
  strong: { bold: true },
  faint: { dimColor: true },
  good: { color: "green" },
};

function row({ Box, Text }: Elements, line: PaneLine): unknown {
  const parts = line.length === 0 ? [{ text: " ", tone: "plain" } as const] : line;
  const children = parts.map(({ text, tone }) => Text({ ...TONES[tone], wrap: "truncate-end", children: [text] }));
  return Box({ flexDirection: "row", children });
}
