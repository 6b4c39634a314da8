/** One result: the session's main log, the context in it, and the row. */
export interface CallPlace {
  readonly session: string;
  readonly context: string;
  readonly row: number;
}

/** What a page looks at. */
export type Looked = Omit<CallPlace, "row">;

export function sameContext(left: Looked | undefined, right: Looked): boolean {
  return left?.session === right.session && left.context === right.context;
}
