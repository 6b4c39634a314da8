/** The colours of the picture, by meaning. */
export interface Theme {
  readonly foreground: string;
  readonly muted: string;
  readonly background: string;
  readonly border: string;
  readonly focus: string;
  /** Hits, near hits, live hints and what they save. */
  readonly hit: string;
  readonly miss: string;
  /** Missed hits, edits and the ends of partitions. */
  readonly forgone: string;
  readonly invalidated: string;
  readonly native: string;
  /** High contrast: strong strokes, and nothing shown by translucency alone. */
  readonly contrast: boolean;
  readonly fontFamily: string;
  readonly fontSize: number;
}

export function fontOf({ fontFamily, fontSize }: Theme, bold = false): string {
  return `${bold ? "600 " : ""}${fontSize}px ${fontFamily}`;
}

export function strokeWidth(theme: Theme): number {
  return theme.contrast ? 2 : 1.25;
}
