/**
 * The rules that turn lines into facts, a second time: src/log/logReader.ts and factReader.ts, with numbers instead of
 * objects. The reasons given there are not repeated here. Unusual lines are left to that code, before anything changes.
 * test/unit/kernel compares the two: they produce the same facts to the last number.
 */
import { hash, hashMore, high, low } from "../../../scanner/assembly/hash";
import { isText } from "../../../scanner/assembly/values";
import * as Scan from "../../../scanner/layout";
import * as Fact from "../../layout";
import * as Layout from "../../readerLayout";
import { isKnownCall, takeCall } from "./calls";
import {
  isUncertain,
  keepsAll,
  MIN_TEXT_CHARS,
  mayHoldDiff,
  mayHoldMatches,
  nameOf,
  nameOfUuid,
  numbers,
  put,
  putLines,
  textOf,
} from "./facts";
import { fingerprintAt } from "./fingerprints";
import { findPrompt, findTime, noteAgent, noteLine, noteModel, notePromptOfLine, noteTitleOfLine } from "./header";
import * as Host from "./host";
import { blockWord, count, headWord, isCall, isResult, isThere, slotEnd, slotStart } from "./line";
import { branchedFrom, canLink, isCopy, lineOfParent, link } from "./links";
import { addContext, Context, callWith, contextAt, contextWith } from "./memory";
import { beginFact, line, seconds, setPlace, stringAt, uuidOfLine } from "./place";
import { addResultUuid } from "./resultLines";
import { bytesOf, findString, intern, startOf } from "./strings";
import { mayHoldHints } from "./text";

/** The subagent whose own file it is, or `NONE`. */
let agentOfFile: i32 = Layout.NONE;
let main: i32 = 0;
let sidechain: i32 = 0;
/** The empty string. */
let nothing: i32 = 0;

export function beginReader(agent: i32, newMain: i32, newSidechain: i32, newNothing: i32): void {
  agentOfFile = agent;
  main = newMain;
  sidechain = newSidechain;
  nothing = newNothing;
}

/** Takes the scanned line; false if it is left to the wrapper. */
export function takeLine(newLine: i32, newOffset: f64): bool {
  if (headWord(Scan.HEAD_KNOWN) === 0 || !findTime()) return false;
  setPlace(newLine, newOffset);
  const type = headWord(Scan.HEAD_TYPE);
  const isLinked = type !== Scan.OTHER_LINE || isThere(Scan.UUID);
  const known = contextOfLine(isLinked);
  if (!isLinked && (known !== Layout.NONE || !isAside())) {
    noteLine();
    noteTitleOfLine();
    return true;
  }
  if (known === Layout.NONE) return false;
  const context = contextAt(known);
  if (!canLink(context)) return false;
  if (type === Scan.USER_LINE && !(hasResults() ? areResultsUsual() : findPrompt())) return false;
  noteLine();
  switch (type) {
    case Scan.ASSISTANT_LINE:
      takeAssistant(context);
      return true;
    case Scan.USER_LINE:
      if (hasResults()) takeResults(context);
      else takePrompt(context);
      break;
    case Scan.SYSTEM_LINE:
      goBack(context);
      break;
    case Scan.ATTACHMENT_LINE:
      context.spoil();
      break;
    default:
      if (type === Scan.OTHER_LINE) noteTitleOfLine();
      break;
  }
  takeLink(context, false);
  return true;
}

function isSynthetic(): bool {
  return isText(slotStart(Scan.MODEL), slotEnd(Scan.MODEL), "<synthetic>");
}

/** Whether the line belongs to one of many contexts. The wrapper enforces the limit on their number. */
function isAside(): bool {
  return agentOfFile === Layout.NONE && (headWord(Scan.HEAD_FLAGS) & Scan.IS_SIDECHAIN) !== 0;
}

/** The number of the line's context; `NONE` if unknown. `opens`: adds an unknown one, unless their number is limited. */
function contextOfLine(opens: bool): i32 {
  if (!isAside()) {
    const id = agentOfFile === Layout.NONE ? main : agentOfFile;
    const known = contextWith(id);
    return known === Layout.NONE && opens ? addContext(id) : known;
  }
  if (!isThere(Scan.AGENT_ID)) return contextWith(sidechain);
  const id = findString(slotStart(Scan.AGENT_ID), slotEnd(Scan.AGENT_ID));
  return id === Layout.NONE ? Layout.NONE : contextWith(id);
}

function hasResults(): bool {
  const blocks = headWord(Scan.HEAD_BLOCKS);
  for (let block = 0; block < blocks; block++) if (isResult(block)) return true;
  return false;
}

/** Whether no result may contain hints. */
function areResultsUsual(): bool {
  const blocks = headWord(Scan.HEAD_BLOCKS);
  for (let block = 0; block < blocks; block++) {
    const start = isResult(block) ? <usize>blockWord(block, Scan.BLOCK_START) : 0;
    if (start !== 0 && mayHoldHints(start, blockWord(block, Scan.BLOCK_END))) return false;
  }
  return true;
}

function startsAgent(tool: i32): bool {
  const start = startOf(tool);
  const end = start + bytesOf(tool);
  return isText(start, end, "Agent") || isText(start, end, "Task");
}

function takeLink(context: Context, makesCall: bool): i32 {
  const node = link(context, line, makesCall);
  if (branchedFrom < 0) return node;
  beginFact(context, Fact.BRANCH);
  put(line);
  put(branchedFrom);
  return node;
}

function takePrompt(context: Context): void {
  context.spoil();
  notePromptOfLine(context.int(Layout.CONTEXT_ID) === main);
  if ((headWord(Scan.HEAD_FLAGS) & Scan.IS_COMPACT_SUMMARY) !== 0) return;
  const startsOver = headWord(Scan.HEAD_PARENT) === Scan.PARENT_NONE && context.get(Layout.IS_ANSWERED) !== 0;
  if (startsOver) rewind(context, 0);
  else goBack(context);
}

function goBack(context: Context): void {
  if (headWord(Scan.HEAD_PARENT) !== Scan.PARENT_IS_UUID) return;
  const toLine = lineOfParent(context);
  if (toLine !== 0 && toLine < context.int(Layout.LAST_ASSISTANT_LINE)) rewind(context, toLine);
}

function rewind(context: Context, toLine: i32): void {
  context.spoil();
  beginFact(context, Fact.REWIND);
  put(toLine);
}

function takeResults(context: Context): void {
  const blocks = headWord(Scan.HEAD_BLOCKS);
  let results = 0;
  for (let block = 0; block < blocks; block++) {
    if (!isResult(block)) continue;
    results++;
    takeResult(context, block);
  }
  if (results < blocks) context.spoil();
}

function takeResult(context: Context, block: i32): void {
  const idStart = <usize>blockWord(block, Scan.BLOCK_ID_START);
  const idEnd = <usize>blockWord(block, Scan.BLOCK_ID_END);
  if (idStart === 0) return;
  const id = intern(idStart, idEnd, <i32>(idEnd - idStart));
  if (context.hasResult(id)) return;
  context.addResult(id);
  const isOnlyText = blockWord(block, Scan.BLOCK_KIND) === Scan.RESULT_BLOCK;
  const chars = isOnlyText ? <i32>blockWord(block, Scan.BLOCK_CHARS) : 0;
  if (!isOnlyText) context.spoil();
  else context.set(Layout.CALIBRATOR_CHARS, context.get(Layout.CALIBRATOR_CHARS) + <f64>chars);
  putResult(context, block, id, isOnlyText, chars);
}

function putResult(context: Context, block: i32, id: i32, isOnlyText: bool, chars: i32): void {
  const call = callWith(id);
  const start = <usize>blockWord(block, Scan.BLOCK_START);
  const end = <usize>blockWord(block, Scan.BLOCK_END);
  const isError = blockWord(block, Scan.BLOCK_ERROR) === 1;
  const isNative = (headWord(Scan.HEAD_FLAGS) & Scan.IS_UNCHANGED) !== 0;
  const tool = call === 0 ? nothing : callInt(call, Layout.CALL_TOOL);
  const path = call === 0 ? Layout.NONE : callInt(call, Layout.CALL_PATH);
  const rangeFrom = call === 0 ? Layout.NONE : callInt(call, Layout.CALL_RANGE_FROM);
  if (call !== 0 && startsAgent(tool)) noteAgent(callInt(call, Layout.CALL_TARGET));
  beginFact(context, Fact.RESULT);
  put(seconds);
  // The flags are known once the text has been split.
  const flagsAt = numbers.length;
  put(0);
  put(call === 0 ? 0 : load<f64>(call + Layout.CALL_KIND * 8));
  put(nameOf(id));
  const hasUuid = slotStart(Scan.UUID) < slotEnd(Scan.UUID);
  put(nameOfUuid(uuidOfLine()));
  addResultUuid(uuidOfLine(), line);
  put(nameOf(tool));
  put(path === Layout.NONE ? Fact.ABSENT : textOf(path));
  put(nameOf(call === 0 ? nothing : callInt(call, Layout.CALL_TARGET)));
  put(
    isOnlyText && !isError
      ? textOf(fingerprintAt(start, end, context.int(Layout.CONTEXT_ID), uuidOfLine()))
      : Fact.ABSENT,
  );
  put(call === 0 ? -1 : load<f64>(call + Layout.CALL_OFFSET * 8));
  const isOwn = call !== 0 && callInt(call, Layout.CALL_CONTEXT) === context.int(Layout.CONTEXT_ID);
  put(isOwn ? load<f64>(call + Layout.CALL_LINE * 8) : 0);
  put(isOnlyText ? <f64>(end - start) : 0);
  put(chars);
  if (hasUuid) {
    hash(slotStart(Scan.UUID), slotEnd(Scan.UUID));
    hashMore(blockWord(block, Scan.BLOCK_ID_START), blockWord(block, Scan.BLOCK_ID_END));
  }
  put(hasUuid ? <f64>high : 0);
  put(hasUuid ? <f64>low : 0);
  const hasLines = isOnlyText && chars >= MIN_TEXT_CHARS;
  if (hasLines) putLines(start, end, chars);
  else put(Fact.ABSENT);
  if (rangeFrom !== Layout.NONE) {
    put(rangeFrom);
    put(load<f64>(call + Layout.CALL_RANGE_LINES * 8));
  }
  let flags = (isError ? Fact.IS_ERROR : 0) | (isNative ? Fact.IS_NATIVE : 0) | (isOnlyText ? Fact.IS_TEXT : 0);
  if (rangeFrom !== Layout.NONE) flags |= Fact.HAS_RANGE;
  if (hasLines && isListing(tool, start, end)) flags |= Fact.IS_LISTING;
  if (keepsAll && isOnlyText) flags |= putHooked(tool, start, end);
  numbers.set(flagsAt, flags);
}

function callInt(call: usize, number: i32): i32 {
  return <i32>load<f64>(call + number * 8);
}

/** `isWholeOrNothing` in src/dedup/runs/textKind.ts, for the text split last. */
function isListing(tool: i32, start: usize, end: usize): bool {
  const name = startOf(tool);
  const nameEnd = name + bytesOf(tool);
  if (isText(name, nameEnd, "Grep") || isText(name, nameEnd, "Glob")) return true;
  if (isUncertain) return Host.isListing(tool, start, end);
  if (mayHoldDiff) return true;
  return mayHoldMatches && (isText(name, nameEnd, "Bash") || isText(name, nameEnd, "PowerShell"));
}

/** The wrapper's data about a text: see `NUMBERED_NUMBERS`. */
export const hooked: usize = memory.data(Layout.NUMBERED_NUMBERS * 8, 16);

/** Returns the flags. */
function putHooked(tool: i32, start: usize, end: usize): i32 {
  const responseStart = <usize>headWord(Scan.HEAD_RESPONSE_START);
  const flags = Host.hookedPart(tool, start, end, responseStart, headWord(Scan.HEAD_RESPONSE_END));
  if ((flags & Fact.IS_NUMBERED) === 0) return flags;
  for (let at = 0; at < Layout.NUMBERED_NUMBERS - 1; at++) put(load<f64>(hooked + at * 8));
  put(textOf(<i32>load<f64>(hooked + (Layout.NUMBERED_NUMBERS - 1) * 8)));
  return flags;
}

function takeAssistant(context: Context): void {
  const blocks = headWord(Scan.HEAD_BLOCKS);
  let makesCall = false;
  for (let block = 0; block < blocks; block++) if (isCall(block)) makesCall = true;
  const callLine = takeLink(context, makesCall);
  if (isSynthetic()) context.spoil();
  else if (!isCopy) takeRequest(context);
  for (let block = 0; block < blocks; block++) {
    if (isCall(block) && !(isCopy && isKnownCall(block))) takeCall(context, block, callLine);
  }
  context.set(Layout.LAST_ASSISTANT_LINE, line);
  context.set(Layout.IS_ANSWERED, 1);
}

function takeRequest(context: Context): void {
  const id = stringAt(Scan.MESSAGE_ID);
  const input = count(Scan.INPUT_TOKENS);
  const output = count(Scan.OUTPUT_TOKENS);
  const continued = id !== Layout.NONE && id === context.int(Layout.MESSAGE_ID);
  if (!continued) context.set(Layout.EDITS_KNOWN, 0);
  if (continued && (context.get(Layout.USAGE_KNOWN) !== 0 || input === 0)) {
    if (!context.raiseOutput(output)) return;
    beginFact(context, Fact.ANSWER);
    return put(output);
  }
  context.set(Layout.MESSAGE_ID, id);
  context.set(Layout.USAGE_KNOWN, input > 0 ? 1 : 0);
  const model = isThere(Scan.MODEL) ? stringAt(Scan.MODEL) : nothing;
  noteModel(model);
  context.request(model, input, output);
  beginFact(context, Fact.REQUEST);
  put(seconds);
  put(continued ? 1 : 0);
  put(textOf(model));
  put(input);
  put(count(Scan.WRITTEN_5M_TOKENS));
  put(count(Scan.WRITTEN_1H_TOKENS));
  put(count(Scan.CACHE_READ_TOKENS));
  put(output);
}
