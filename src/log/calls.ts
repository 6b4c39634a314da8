import type { LineCall } from "./logLine.js";
import { type Members, membersOf } from "./record.js";
import {
  absolutePath,
  kindOfTool,
  type LineRange,
  pathIn,
  rangeOf,
  subjectIn,
  type ToolKind,
  targetOf,
} from "./tools.js";

/** The part of a tool call that its result needs. */
export interface Call {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly path: string | undefined;
  readonly target: string;
  readonly range?: LineRange | undefined;
  /** The byte offset of its line; -1 if unknown. */
  readonly callOffset: number;
  /** Its context, and its place in that context's `Chain`. */
  readonly context: string;
  readonly callLine: number;
}

/** Placeholder for a call that is not in the file. */
export const UNKNOWN_CALL: Call = {
  tool: "",
  kind: "other",
  path: undefined,
  target: "",
  callOffset: -1,
  context: "",
  callLine: 0,
};

/** Whether a content block is a tool call. */
export function isCall({ type, id, name }: Members): boolean {
  return type === "tool_use" && typeof id === "string" && typeof name === "string";
}

/** Reads a content block; undefined if it is not a tool call. */
export function readCall(
  block: Members,
  cwd: string | undefined,
  place: CallPlace,
): { id: string; call: Call } | undefined {
  const { id, name: tool } = block;
  if (!isCall(block) || typeof id !== "string" || typeof tool !== "string") return undefined;
  const input = membersOf(block["input"]);
  const { offset, limit } = input;
  return { id, call: callOf({ tool, path: pathIn(input), subject: subjectIn(input), offset, limit }, cwd, place) };
}

/** `given`: the call's members, see `LineCall`. */
export function callOf(given: GivenCall, cwd: string | undefined, place: CallPlace): Call {
  const { tool, path, subject, offset, limit } = given;
  const kind = kindOfTool(tool);
  return {
    tool,
    kind,
    path: kind === "other" || path === undefined ? undefined : absolutePath(path, cwd),
    target: targetOf(path, subject, cwd),
    range: tool === "Read" ? rangeOf(offset, limit) : undefined,
    callOffset: place.callOffset,
    context: place.context,
    callLine: place.callLine,
  };
}

type CallPlace = Pick<Call, "callOffset" | "context" | "callLine">;
type GivenCall = Omit<LineCall, "id" | "strings">;
