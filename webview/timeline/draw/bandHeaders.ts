import { short } from "../../../src/words/numbers.js";
import { strings } from "../../../src/words/strings.js";
import { counted, fill, plural } from "../../../src/words/text.js";
import type { Band } from "../layout/bands.js";
import type { Scene } from "../layout/scene.js";
import { fontOf, type Theme } from "./colors.js";
import { type Pen, textWidth } from "./pen.js";

interface Piece {
  readonly text: string;
  readonly role: "name" | "saved" | "rest";
}

const GAP = 7;
const EDGE = 6;

/** Each partition's name and savings, in as many words as fit its band. They stay in view as long as the band does. */
export function drawHeaders(pen: Pen, theme: Theme, scene: Scene, bands: readonly Band[]): void {
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  for (const band of bands) {
    const room = band.right - band.left - EDGE - 2;
    const fitting = wordings(scene, band.partition).find(pieces => widthOf(pen, theme, pieces) <= room);
    let x = band.left + EDGE;
    for (const piece of fitting ?? []) {
      pen.font = fontOf(theme, piece.role === "name");
      pen.fillStyle = colorOf(theme, piece.role);
      pen.fillText(piece.text, x, scene.layout.header.height / 2 + 1);
      x += textWidth(pen, piece.text) + GAP;
    }
  }
}

/** From the longest to the shortest. */
function wordings({ model }: Scene, partition: number): Piece[][] {
  const [from, to] = [model.partitionStart(partition), model.partitionEnd(partition)];
  const { partitionShort, saved: savedText, repeatsOf } = strings.timeline;
  const saved = short(model.savedTokens(from, to));
  const name: Piece = { text: fill(strings.bar.partitionNumber, { number: partition }), role: "name" };
  const brief: Piece = { text: fill(partitionShort, { number: partition }), role: "name" };
  if (to === from) return [[name], [brief]];
  const results = counted(strings.counts.results, to - from);
  const repeating = model.repeats(from, to);
  if (repeating === 0) return [[name, { text: results, role: "rest" }], [name], [brief]];
  const inWords: Piece = { text: fill(savedText, { tokens: saved }), role: "saved" };
  const repeats: Piece = { text: fill(plural(repeatsOf, repeating), { repeats: repeating, results }), role: "rest" };
  return [
    [name, inWords, repeats],
    [name, inWords],
    [brief, inWords],
    [brief, { text: saved, role: "saved" }],
    [brief],
  ];
}

function widthOf(pen: Pen, theme: Theme, pieces: readonly Piece[]): number {
  let width = GAP * (pieces.length - 1);
  for (const { text, role } of pieces) {
    pen.font = fontOf(theme, role === "name");
    width += textWidth(pen, text);
  }
  return width;
}

function colorOf(theme: Theme, role: Piece["role"]): string {
  if (role === "name") return theme.foreground;
  return role === "saved" ? theme.hit : theme.muted;
}
