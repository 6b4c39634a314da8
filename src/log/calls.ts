import { type Bytes, OPEN_BRACE } from "./bytes.js";
import { KeySet } from "./keys.js";
import { type BlockSpans, isStringAt } from "./line.js";
import { kindOfTool, pathOfCall, type ToolKind, targetOfCall } from "./tools.js";
import { stringAt, stringOf } from "./values.js";
import { Walk } from "./walk.js";

/** A tool call as far as its result needs it. */
export interface Call {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly path: string | undefined;
  readonly target: string;
  /** The byte at which its line begins; -1 where that is unknown. */
  readonly callOffset: number;
}

/** The call of a result whose call is not in the file. */
export const UNKNOWN_CALL: Call = { tool: "", kind: "other", path: undefined, target: "", callOffset: -1 };

/** The members of a call's input that tell what it is about. `content` and the like are never looked into. */
const INPUT_KEYS = new KeySet([
  "file_path",
  "path",
  "notebook_path",
  "command",
  "pattern",
  "query",
  "url",
  "skill",
  "description",
  "prompt",
]);

const walk = new Walk();

/** Reads a `tool_use` block; undefined where the block is something else. */
export function readCall(
  bytes: Bytes,
  block: BlockSpans,
  callOffset: number,
  cwdOfLine: () => string | undefined,
): { id: string; call: Call } | undefined {
  if (!isStringAt(bytes, block.start("type"), block.end("type"), "tool_use")) return undefined;
  const id = stringOf(bytes, block, "id");
  const tool = stringOf(bytes, block, "name");
  if (id === undefined || tool === undefined) return undefined;
  const kind = kindOfTool(tool);
  const cwd = cwdOfLine();
  const input = readInput(bytes, block.start("input"), block.end("input"));
  const call = { tool, kind, path: pathOfCall(kind, input, cwd), target: targetOfCall(input, cwd), callOffset };
  return { id, call };
}

function readInput(bytes: Bytes, start: number, end: number): Record<string, string> {
  const input: Record<string, string> = {};
  if (start < 0 || bytes[start] !== OPEN_BRACE) return input;
  walk.open(bytes, start, end);
  while (walk.next()) {
    const slot = INPUT_KEYS.slotAt(bytes, walk.keyStart, walk.keyEnd);
    const name = INPUT_KEYS.names[slot];
    const value = name === undefined ? undefined : stringAt(bytes, walk.valueStart, walk.skip());
    if (name !== undefined && value !== undefined) input[name] = value;
  }
  return input;
}
