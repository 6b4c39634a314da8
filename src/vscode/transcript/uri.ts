/** Names of virtual documents. A name contains everything needed to write the document again. */
import { Uri } from "vscode";
import { isRunStrategy, type RunStrategy } from "../../inspect/strategies.js";
import type { ContextRef } from "../../protocol/requests.js";
import { visible } from "../../words/text.js";
import { SCHEME } from "../ids.js";
import type { CallRef } from "../selectedCall.js";

/** A stretch of a context's calls, identified by its first row. */
export interface TranscriptName extends ContextRef {
  readonly kind: "transcript";
  readonly from: number;
}

export interface ResultName extends CallRef {
  readonly kind: "result";
  /** `left` is the earlier result, `right` the result in `row`. */
  readonly side: "left" | "right";
  /** Compares the result with itself: `left` as in the log, `right` as the model would get it. */
  readonly strategy?: RunStrategy;
}

export interface LogLineName extends CallRef {
  readonly kind: "line";
}

export type DocumentName = TranscriptName | ResultName | LogLineName;

/** `label` is what the tab shows. */
export function uriOf(name: DocumentName, label: string): Uri {
  const { kind, ...values } = name;
  const query = new URLSearchParams(
    Object.entries(values).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return Uri.from({ scheme: SCHEME, authority: kind, path: `/${pathPart(label)}`, query: query.toString() });
}

/** Undefined if it is not one of our names. */
export function nameOf(uri: Uri): DocumentName | undefined {
  if (uri.scheme !== SCHEME) return undefined;
  const values = new URLSearchParams(uri.query);
  const [session, context] = [values.get("session"), values.get("context")];
  if (!session || !context) return undefined;
  const [row, from] = [wholeNumber(values.get("row")), wholeNumber(values.get("from"))];
  if (uri.authority === "transcript" && from !== undefined) return { kind: "transcript", session, context, from };
  if (row === undefined) return undefined;
  if (uri.authority === "line") return { kind: "line", session, context, row };
  const side = values.get("side");
  if (uri.authority !== "result" || (side !== "left" && side !== "right")) return undefined;
  const strategy = values.get("strategy");
  return { kind: "result", session, context, row, side, ...(isRunStrategy(strategy) && { strategy }) };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** A label comes from a log: nothing in it may look like a folder, and it must fit in a tab. */
function pathPart(label: string): string {
  return visible(label.replace(/[/\\]+/g, " ").trim(), 60);
}
