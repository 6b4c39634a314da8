/** Calls: src/log/calls.ts and tools.ts. */
import { isText } from "../../../scanner/assembly/values";
import * as Scan from "../../../scanner/layout";
import * as Fact from "../../layout";
import * as Layout from "../../readerLayout";
import { MIN_TEXT_CHARS, nameOf, nameOfUuid, put, putLines, reserve } from "./facts";
import { blockWord, inputWord, slotEnd, slotStart } from "./line";
import { Context, callWith, placeOfCall } from "./memory";
import { beginFact, offset, uuidOfLine } from "./place";
import { intern } from "./strings";
import { pathAt, targetAt } from "./text";

export function isKnownCall(block: i32): bool {
  return callWith(idOf(block)) !== 0;
}

function idOf(block: i32): i32 {
  return internWord(blockWord(block, Scan.BLOCK_ID_START), blockWord(block, Scan.BLOCK_ID_END));
}

export function takeCall(context: Context, block: i32, callLine: i32): void {
  const id = idOf(block);
  const toolStart = <usize>blockWord(block, Scan.BLOCK_NAME_START);
  const toolEnd = <usize>blockWord(block, Scan.BLOCK_NAME_END);
  const tool = internWord(toolStart, toolEnd);
  const path = <i32>blockWord(block, Scan.BLOCK_PATH) - 1;
  const subject = <i32>blockWord(block, Scan.BLOCK_SUBJECT) - 1;
  const pathStart = path < 0 ? 0 : <usize>inputWord(path, Scan.INPUT_START);
  const pathEnd = path < 0 ? 0 : <usize>inputWord(path, Scan.INPUT_END);
  const subjectStart = subject < 0 ? 0 : <usize>inputWord(subject, Scan.INPUT_START);
  const subjectEnd = subject < 0 ? 0 : <usize>inputWord(subject, Scan.INPUT_END);
  const cwdStart = slotStart(Scan.CWD);
  const cwdEnd = slotEnd(Scan.CWD);
  const kind = kindOf(toolStart, toolEnd);
  const target = targetAt(pathStart, pathEnd, subjectStart, subjectEnd, cwdStart, cwdEnd);
  const file = kind === 0 || path < 0 ? Layout.NONE : pathAt(pathStart, pathEnd, cwdStart, cwdEnd);
  const isRead = isText(toolStart, toolEnd, "Read");
  const from = max<i32>(1, blockWord(block, Scan.BLOCK_OFFSET));
  const call = placeOfCall(id);
  store<f64>(call + Layout.CALL_TOOL * 8, tool);
  store<f64>(call + Layout.CALL_KIND * 8, kind);
  store<f64>(call + Layout.CALL_PATH * 8, file);
  store<f64>(call + Layout.CALL_TARGET * 8, target);
  store<f64>(call + Layout.CALL_RANGE_FROM * 8, isRead ? from : Layout.NONE);
  store<f64>(call + Layout.CALL_RANGE_LINES * 8, isRead ? blockWord(block, Scan.BLOCK_LIMIT) : 0);
  store<f64>(call + Layout.CALL_OFFSET * 8, offset);
  store<f64>(call + Layout.CALL_CONTEXT * 8, context.get(Layout.CONTEXT_ID));
  store<f64>(call + Layout.CALL_LINE * 8, callLine);
  beginFact(context, Fact.CALL);
  put(nameOf(id));
  put(nameOf(tool));
  put(nameOf(target));
  put(nameOfUuid(uuidOfLine()));
  put(callLine);
  const end = blockWord(block, Scan.BLOCK_END);
  putInputs(hasOwnInput(toolStart, toolEnd) ? blockWord(block, Scan.BLOCK_START) : end, end);
}

/** src/log/tools.ts. */
function hasOwnInput(toolStart: usize, toolEnd: usize): bool {
  return !isText(toolStart, toolEnd, "ExitPlanMode");
}

function putInputs(first: i32, end: i32): void {
  let inputs = 0;
  for (let at = first; at < end; at++) if (<i32>inputWord(at, Scan.INPUT_CHARS) >= MIN_TEXT_CHARS) inputs++;
  put(inputs);
  for (let at = first; at < end; at++) {
    const chars = <i32>inputWord(at, Scan.INPUT_CHARS);
    if (chars < MIN_TEXT_CHARS) continue;
    reserve();
    put(nameOf(internWord(inputWord(at, Scan.INPUT_KEY_START), inputWord(at, Scan.INPUT_KEY_END))));
    put(chars);
    putLines(inputWord(at, Scan.INPUT_START), inputWord(at, Scan.INPUT_END), chars);
  }
}

/** For ASCII. */
function internWord(start: usize, end: usize): i32 {
  return intern(start, end, <i32>(end - start));
}

/** src/log/tools.ts. */
function kindOf(start: usize, end: usize): i32 {
  if (isText(start, end, "Read") || isText(start, end, "Grep") || isText(start, end, "Glob")) return Fact.READ_TOOL;
  if (isText(start, end, "NotebookRead")) return Fact.READ_TOOL;
  const isMutating = isText(start, end, "Edit") || isText(start, end, "Write") || isText(start, end, "MultiEdit");
  return isMutating || isText(start, end, "NotebookEdit") ? Fact.MUTATE_TOOL : 0;
}
