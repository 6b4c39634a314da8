/** Icons, 16 px, in the colour of the text around them. They have no label of their own: whoever uses one adds it. */
import type { VNode } from "preact";
import type { Glyph } from "../words/callFacts.js";

const PATHS = {
  chevronDown: "M3.6 5.7 8 10.1l4.4-4.4.7.7L8 11.5 2.9 6.4z",
  check: "m13.9 4.4-7.6 7.7-4.2-3.6.7-.8 3.5 3 6.9-7z",
  close: "m8.7 8 4 4-.7.7-4-4-4 4-.7-.7 4-4-4-4 .7-.7 4 4 4-4 .7.7z",
  back: "M7.3 3.3 2.6 8l4.7 4.7.7-.7-3.5-3.5H14v-1H4.5L8 4z",
  up: "M8 2.6 12.7 7.3 12 8 8.5 4.5V14h-1V4.5L4 8l-.7-.7z",
  down: "M8 13.4 3.3 8.7 4 8l3.5 3.5V2h1v9.5L12 8l.7.7z",
  more: "M4 8a1 1 0 1 1-2 0 1 1 0 0 1 2 0m5 0a1 1 0 1 1-2 0 1 1 0 0 1 2 0m4 1a1 1 0 1 0 0-2 1 1 0 0 0 0 2",
  zoomIn:
    "M7 1.5a5.5 5.5 0 0 1 4.3 8.9l3.5 3.5-.8.7-3.4-3.5A5.5 5.5 0 1 1 7 1.5m0 1a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M7.5 4.5v2h2v1h-2v2h-1v-2h-2v-1h2v-2z",
  zoomOut:
    "M7 1.5a5.5 5.5 0 0 1 4.3 8.9l3.5 3.5-.8.7-3.4-3.5A5.5 5.5 0 1 1 7 1.5m0 1a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9m-2.5 4h5v1h-5z",
  fitAll: "M2 2h4v1H3v3H2zm8 0h4v4h-1V3h-3zM2 10h1v3h3v1H2zm11 0h1v4h-4v-1h3zM5 5h6v6H5zm1 1v4h4V6z",
  follow:
    "M8 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3M4.8 4.1l.7.7a4.5 4.5 0 0 0 0 6.4l-.7.7a5.5 5.5 0 0 1 0-7.8m6.4 0a5.5 5.5 0 0 1 0 7.8l-.7-.7a4.5 4.5 0 0 0 0-6.4zM2.7 2l.7.7a7.5 7.5 0 0 0 0 10.6l-.7.7a8.5 8.5 0 0 1 0-12m10.6 0a8.5 8.5 0 0 1 0 12l-.7-.7a7.5 7.5 0 0 0 0-10.6z",
  warning: "M8 1.2 15.2 14H.8zm0 2L2.5 13h11zM7.5 6h1v4h-1zm0 5h1v1h-1z",
  filter: "M2 3h12v1.4L9.5 9v4.5l-3-1.5V9L2 4.4zm1.3 1.1 4.2 4.4v2.9l1 .5V8.5l4.2-4.4z",
  help: "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1m0 1a6 6 0 1 0 0 12A6 6 0 0 0 8 2m-.7 8.6h1.4V12H7.3zM8 4c1.5 0 2.6.9 2.6 2.2 0 .9-.5 1.5-1.2 2-.6.4-.8.7-.8 1.2v.2H7.4v-.3c0-1 .5-1.5 1.2-2 .5-.4.8-.6.8-1.1 0-.6-.6-1-1.4-1s-1.4.5-1.5 1.2H5.3C5.4 4.9 6.5 4 8 4",
  search: "M6.5 1.5a5 5 0 0 1 3.9 8.1l4.2 4.2-.7.7-4.2-4.2A5 5 0 1 1 6.5 1.5m0 1a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={PATHS[name]} />
    </svg>
  );
}

type Tone = "hit" | "miss" | "forgone" | "native" | "muted" | "gone";

const dot = (r: number) => <circle cx="8" cy="8" r={r} fill="currentColor" />;
const ring = () => <circle cx="8" cy="8" r="4.2" fill="none" stroke="currentColor" stroke-width="1.6" />;
const stroke = (d: string, dashed = false) => (
  <path d={d} fill="none" stroke="currentColor" stroke-width="1.8" stroke-dasharray={dashed ? "2.4 2" : undefined} />
);

const GLYPHS: Readonly<Record<Glyph, readonly [Tone, () => VNode]>> = {
  hit: ["hit", () => dot(5)],
  nearHit: ["hit", () => dot(5)],
  partial: [
    "hit",
    () => (
      <g>
        {ring()}
        <path d="M3.8 8a4.2 4.2 0 0 0 8.4 0z" fill="currentColor" />
      </g>
    ),
  ],
  miss: ["miss", ring],
  forgone: [
    "forgone",
    () => (
      <g>
        {ring()}
        <path d="m5 11 6-6" stroke="currentColor" stroke-width="1.6" />
      </g>
    ),
  ],
  native: ["native", () => <rect x="3.8" y="3.8" width="8.4" height="8.4" fill="currentColor" />],
  realised: ["native", () => <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" fill="currentColor" />],
  error: ["muted", () => dot(1.6)],
  bypass: ["muted", () => dot(1.6)],
  invalidate: ["gone", () => stroke("m4 4 8 8m0-8-8 8")],
  boundary: ["forgone", () => stroke("M8 1v14", true)],
  rewind: ["forgone", () => stroke("M9.5 3.5 4 8l5.5 4.5zM4 3.5v9")],
  clear: ["forgone", () => stroke("M3 8h10", true)],
  shrink: ["forgone", () => stroke("M3 8h10", true)],
  fallback: ["forgone", () => stroke("M3 4l5 5 5-5M3 12h10")],
};

/** The same shape and color as in the timeline. */
export function GlyphIcon({ glyph }: { readonly glyph: Glyph }): VNode {
  const [tone, shape] = GLYPHS[glyph];
  return (
    <svg class={`glyph glyph-${tone}`} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {shape()}
    </svg>
  );
}
