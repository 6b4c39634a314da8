import type { FileGates } from "../inspect/gateFigures.js";
import type { Gate } from "../inspect/gates.js";
import type { Report } from "../inspect/report.js";
import { grouped, percent, short } from "../words/numbers.js";
import { type Column, renderTable } from "./table.js";
import type { Tint } from "./terminal.js";

type Paint = (tint: Tint, text: string) => string;

const NAMES: Readonly<Record<Gate, string>> = {
  hit: "hit: a hint would do",
  nearHit: "near hit: a hint with a few values would do",
  small: "too small for a hint",
  mutation: "the confirmation of an edit",
  error: "an error",
  nonText: "not text",
  native: "saved by Claude Code",
  realised: "saved by a live hint",
  new: "new text",
  otherRange: "other lines of a file read before",
  changed: "the same lines of a file, changed since",
  evicted: "was there, evicted",
  invalidated: "was there, invalidated by an edit",
  compacted: "was there, compacted away",
  cleared: "was there, cleared",
  rewound: "was there, rewound",
  shrunk: "was there, dropped without a word",
  parallel: "was there, in the same message",
  afterEdit: "was there, a command run before an edit",
};

const GATE_COLUMNS: readonly Column[] = [
  { title: "what became of the results", shrinks: true },
  { title: "results", align: "right" },
  { title: "tokens", align: "right" },
  { title: "of tokens", align: "right", dropOrder: 1 },
];

/** Where the tokens went: every result is in exactly one line. `all`: the lists too. */
export function renderGates(report: Report, limit: number, width: number, paint: Paint, all: boolean): string {
  const { gates } = report.gates;
  const whole = gates.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = [...gates]
    .sort((left, right) => right.tokens - left.tokens || right.results - left.results)
    .map(({ gate, results, tokens }) => [NAMES[gate], grouped(results), short(tokens), percent(tokens, whole)]);
  const more = all ? "" : paint("dim", "  --gates also lists files, tools and the largest results");
  const head = `\n${paint("bold", "Where the tokens went")}${more}\n${renderTable(GATE_COLUMNS, rows, width, paint)}`;
  return all ? head + lists(report, limit, width, paint) : head;
}

function lists({ gates }: Report, limit: number, width: number, paint: Paint): string {
  const list = (title: string, columns: readonly Column[], rows: string[][]) =>
    rows.length === 0 ? "" : `\n${paint("bold", title)}\n${renderTable(columns, rows.slice(0, limit), width, paint)}`;
  const files = (title: string, from: readonly FileGates[], count: keyof FileGates, tokens: keyof FileGates) =>
    list(
      title,
      [
        { title: "file", shrinks: true },
        number("reads"),
        number(title === REREAD ? "re-reads" : "times"),
        number("tokens"),
      ],
      from.map(file => [file.path, grouped(file.reads), grouped(Number(file[count])), short(Number(file[tokens]))]),
    );
  return [
    list(
      "Largest results",
      [
        { title: "file", shrinks: true },
        { title: "tool" },
        number("line"),
        number("tokens"),
        { title: "what became of it", dropOrder: 1 },
      ],
      gates.largest.map(one => [
        one.path ?? one.file,
        one.tool || "(unknown)",
        grouped(one.line),
        short(one.tokens),
        NAMES[one.gate],
      ]),
    ),
    files(REREAD, gates.reread, "rereads", "tokens"),
    files("Overlapping reads of the same file", gates.overlapping, "overlapping", "overlappingTokens"),
    files("Read, then changed: stale text in the context", gates.stale, "stale", "staleTokens"),
    list(
      "Gates by tool",
      [{ title: "tool" }, number("results"), number("tokens"), { title: "what became of them", shrinks: true }],
      gates.tools.map(one => [
        one.tool || "(unknown)",
        grouped(one.results),
        short(one.tokens),
        Object.entries(one.gates)
          .sort(([, left], [, right]) => right - left)
          .slice(0, 4)
          .map(([gate, results]) => `${grouped(results)} ${gate}`)
          .join(", "),
      ]),
    ),
  ].join("");
}

const REREAD = "Most re-read files";

function number(title: string): Column {
  return { title, align: "right" };
}
