import { HeldInput, type LogText } from "./heldText.js";
import { type Members, membersOf, stringOf } from "./record.js";
import { kindOfTool, type LineRange, pathOfCall, rangeOfCall, type ToolKind, targetOfCall } from "./tools.js";

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

/** Stands in for a call that is not in the file. */
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
  place: Pick<Call, "callOffset" | "context" | "callLine">,
): { id: string; call: Call } | undefined {
  const id = stringOf(block["id"]);
  const tool = stringOf(block["name"]);
  if (!isCall(block) || id === undefined || tool === undefined) return undefined;
  const kind = kindOfTool(tool);
  const given = block["input"];
  const input = given instanceof HeldInput ? given.members : membersOf(given);
  const call = {
    tool,
    kind,
    path: pathOfCall(kind, input, cwd),
    target: targetOfCall(input, cwd),
    range: rangeOfCall(tool, input),
    ...place,
  };
  return { id, call };
}

/** The members of a call's input that are strings, in their order. */
export function stringsOfCall(block: Members): readonly (readonly [key: string, text: LogText])[] {
  const input = block["input"];
  if (input instanceof HeldInput) return input.strings;
  const strings: [string, string][] = [];
  for (const [key, text] of Object.entries(membersOf(input))) {
    if (typeof text === "string") strings.push([key, text]);
  }
  return strings;
}
