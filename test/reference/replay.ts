/**
 * A second, deliberately naive implementation of docs/rules.md, written from the rules alone. It only exists to be
 * compared with the real engine: whole text, arrays and linear scans, no state shared between calls.
 */
import { addLink, isFromBefore, leadsTo, nearestCall } from "./chain";
import { hookedIn, numberedText } from "./door";
import { HINT, hintOf, nearReference, RUN_HINT } from "./hints";
import {
  bodyOf,
  contextIdOf,
  countOf,
  field,
  fingerprintOf,
  type Json,
  kindOf,
  list,
  matches,
  parseObject,
  pathOf,
  timeOf,
} from "./lines";
import { parsed } from "./runs";
import {
  type Call,
  type Context,
  contextOf,
  type Entry,
  type Line,
  type ReferenceContext,
  type ReferenceSettings,
} from "./state";
import { addInputs, addResult, findRuns, styleIn, targetOf } from "./texts";

export type { ReferenceSettings };

export function referenceReplay(
  file: Buffer,
  settings: ReferenceSettings,
  agentIdOfFile?: string,
): { badLines: number; contexts: ReferenceContext[] } {
  // What follows the last newline is unfinished.
  const lines = file.toString("utf8").split("\n").slice(0, -1).map(parseObject);
  // A text of which runs were replaced is in no cache, whatever its capacity.
  const partial = settings.runs ? replay(lines, settings, agentIdOfFile, []).contexts : [];
  const endless = { ...settings, capacity: Number.POSITIVE_INFINITY, runs: false };
  const unlimited = replay(lines, endless, agentIdOfFile, [], partial);
  const { badLines, contexts } = replay(lines, settings, agentIdOfFile, unlimited.contexts);
  return { badLines, contexts: contexts.map(({ id, events }) => ({ id, events })) };
}

/** `unlimited`: the same replay with a cache without a limit, which knows why a result is a miss. */
function replay(
  lines: readonly (Json | undefined)[],
  settings: ReferenceSettings,
  agentIdOfFile: string | undefined,
  unlimited: Context[],
  partial: Context[] = [],
): { badLines: number; contexts: Context[] } {
  const contexts: Context[] = [];
  const calls: Call[] = [];
  let badLines = 0;
  for (const [index, json] of lines.entries()) {
    if (json === undefined) {
      badLines += 1;
      continue;
    }
    const line = { json, number: index + 1, at: timeOf(json["timestamp"]) };
    const context = contextOf(contexts, agentIdOfFile ?? contextIdOf(json));
    context.judge = unlimited.find(({ id }) => id === context.id) ?? context;
    const known = partial.find(({ id }) => id === context.id);
    if (known !== undefined) context.partial = known.partial;
    readLine(context, line, calls, settings);
  }
  return { badLines, contexts };
}

function readLine(context: Context, line: Line, calls: Call[], settings: ReferenceSettings): void {
  const { type, subtype, uuid, cwd } = line.json;
  // A log may repeat lines: an answer that is written again is no second request.
  const isCopy = typeof uuid === "string" && context.links.some(one => one.uuid === uuid);
  const blocks = list(line.json, "message", "content");
  const uses = blocks.filter(
    block =>
      field(block, "type") === "tool_use" &&
      typeof field(block, "id") === "string" &&
      typeof field(block, "name") === "string",
  );
  if (type === "system") {
    checkRewind(context, line);
    if (subtype === "compact_boundary") compact(context, line);
    if (subtype === "microcompact_boundary")
      clear(context, line, list(line.json, "microcompactMetadata", "compactedToolIds"), "microcompact");
  } else if (type === "content-replacement") {
    const ids = list(line.json, "replacements").map(replacement => field(replacement, "toolUseId"));
    if (Array.isArray(line.json["replacements"])) clear(context, line, ids, "replacement");
  } else if (type === "attachment" && field(line.json, "attachment", "type") === "tool_results_cut") {
    clear(context, line, list(line.json, "attachment", "callIds"), "cut");
  } else if (type === "assistant" && !isCopy) {
    checkEdits(context, line);
    countRequest(context, line);
    checkShrink(context, line);
  } else if (type === "user") {
    const results = blocks.filter(block => field(block, "type") === "tool_result");
    if (results.length === 0) checkRewind(context, line);
    for (const block of results) readResult(context, line, block, calls, settings);
  }
  context.lines.push({
    uuid,
    line: line.number,
    assistant: type === "assistant",
    boundary: type === "system" && subtype === "compact_boundary",
  });
  link(context, line, type === "assistant" && uses.length > 0);
  if (type !== "assistant") return;
  for (const use of uses) {
    const [id, name] = [String(field(use, "id")), String(field(use, "name"))];
    if (isCopy && calls.some(call => call.id === id)) continue;
    const link = nearestCall(context.newestLink);
    const call = { id, name, input: field(use, "input"), cwd, context: context.id, link };
    calls.push(call);
    // The log adds the plan to this input.
    if (settings.runs && name !== "ExitPlanMode") addInputs(context, line, call);
  }
}

/** Only lines of a conversation, or with a uuid, are linked. */
function link(context: Context, line: Line, call: boolean): void {
  const { type, subtype, uuid, parentUuid, logicalParentUuid } = line.json;
  const types: unknown[] = ["user", "assistant", "system", "attachment", "progress"];
  if (!types.includes(type) && typeof uuid !== "string") return;
  const isBoundary = type === "system" && subtype === "compact_boundary";
  const named = isBoundary && logicalParentUuid !== undefined ? logicalParentUuid : parentUuid;
  const isThere = (uuid: unknown) => context.links.some(one => one.uuid === uuid);
  // A compaction may continue from a line that was never logged; what it kept is still there.
  const kept = isBoundary && typeof named === "string" && !isThere(named) ? keptBy(line).slice(-16) : [];
  // It does not wait for a line that is written later, which cannot be part of what it kept.
  const isLate = isBoundary && typeof named === "string" && !isThere(named);
  const parent = kept.findLast(isThere) ?? (isLate ? null : named);
  context.newestLink = addLink(context.links, context.newestLink, { uuid, line: line.number, parent, call });
}

// ---- one result (docs/rules.md "What happens to a result") ----

function readResult(context: Context, line: Line, block: unknown, calls: Call[], settings: ReferenceSettings): void {
  const id = field(block, "tool_use_id");
  if (typeof id !== "string" || context.results.some(result => result.id === id)) return;
  const call = calls.findLast(candidate => candidate.id === id);
  const tool = call?.name ?? "";
  const kind = kindOf(tool);
  const path = call === undefined || kind === "other" ? undefined : pathOf(call);
  const failed = field(block, "is_error") === true;
  const body = bodyOf(field(block, "content"));
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  const own = { id, tool, bytes };

  if (kind === "mutate" && !failed && path !== undefined) {
    const stale = context.cache.filter(entry => entry.kind === "read" && entry.path === path);
    invalidate(context, line, stale, id, "path");
  }

  const lines = tool === "Read" ? [field(call?.input, "offset") ?? 1, field(call?.input, "limit") ?? 0] : [];
  const called = JSON.stringify([tool, path ?? targetOf(call, path), ...lines]);
  const again = context.answeredWithHints.findIndex(
    ({ call: earlier, asked }) => earlier === called && asked === context.asked.count - 1,
  );
  if (again >= 0) {
    context.fall.asked += 1;
    context.answeredWithHints.splice(again, 1);
  }

  const native = field(line.json, "toolUseResult", "type") === "file_unchanged";
  const inNumbers = numberedText(body ?? "");
  const { whole, near: nearly } = HINT.exec(inNumbers)?.groups ?? {};
  const spanned = body
    ?.split("\n")
    .map(text => RUN_HINT.exec(parsed(text).said)?.[1])
    .find(ref => ref !== undefined);
  const realised = whole ?? nearly ?? spanned;
  const fingerprint = body === undefined ? "" : fingerprintOf(body);
  const text = settings.runs && body !== undefined ? addResult(context, line, body, id, call) : undefined;
  const response = field(line.json, "toolUseResult");
  const part = settings.door === "hooks" ? hookedIn(tool, body ?? "", response, context, line.number) : "text";
  const numbered = typeof part === "string" ? undefined : part;
  // What a hint replaces: not what Claude Code adds around a file's lines, nor the first line's number.
  const replaced = numbered === undefined ? (body ?? "") : parsed(inNumbers).text;
  const equal = context.cache.find(entry => entry.fingerprint === fingerprint);
  const from = call?.context === context.id ? call.link : undefined;
  const objection = (entry: Entry) => {
    if (context.asked.line > 0 && entry.line > context.asked.line) return "parallel";
    if (!leadsTo(from, entry.call) || isFromBefore(entry, context.boundary)) return "rewound";
    const since = context.results.slice(context.results.findIndex(result => result.id === entry.id));
    const isShell = (name: string) => ["Bash", "PowerShell"].includes(name);
    if (isShell(tool) && isShell(entry.tool) && since.some(result => result.edited)) return "afterEdit";
    if (context.fall.level === 2) return "stopped";
    return part === "nothing" ? "fixed" : undefined;
  };
  const free = context.cache.filter(entry => objection(entry) === undefined);
  if (failed) {
    emit(context, line, "bypass", { ...own, reason: "error" });
  } else if (native) {
    const ref = context.results.findLast(
      result => path !== undefined && result.tool === tool && result.path === path,
    )?.id;
    emit(context, line, "bypass", { ...own, reason: "native", ...(ref === undefined ? {} : { ref }) });
  } else if (realised !== undefined) {
    emit(context, line, "bypass", { ...own, reason: "realised", ref: realised });
    context.fall.hinted += 1;
    context.answeredWithHints.push({ call: called, asked: context.asked.count });
    // A hint for a part has line numbers, one for the whole does not: only re-asks of whole texts can be recognised.
    if (realised !== spanned) context.hints.push({ id, ref: realised, asked: context.asked.count });
  } else if (body === undefined) {
    emit(context, line, "bypass", { ...own, reason: "nonText" });
  } else if (kind === "mutate") {
    emit(context, line, "bypass", { ...own, reason: "mutation" });
  } else if (bytes < settings.minBytes || body.length < 2 * `> [ref: ${id}, byte-identical]`.length) {
    emit(context, line, "bypass", { ...own, reason: "small" });
  } else if (equal !== undefined && free.includes(equal)) {
    context.verdicts.push({ id, why: "evicted" });
    context.cache = [...context.cache.filter(entry => entry !== equal), equal];
    if (text !== undefined) text.emittedAt = text.lines.map(() => undefined);
    const savedBytes = Buffer.byteLength(replaced) - Buffer.byteLength(hintOf(equal, settings.verbosity, replaced));
    emit(context, line, "hit", { ...own, ref: equal.id, savedBytes });
    const hint = context.hints.findLast(({ ref }) => ref === equal.id);
    if (hint !== undefined && hint.asked === context.asked.count - 1)
      emit(context, line, "reask", { ...own, ref: equal.id, hint: hint.id, savedBytes: -bytes });
  } else {
    const near = settings.nearRef && equal === undefined ? nearReference(free.toReversed(), body) : undefined;
    const fate = context.fates.findLast(candidate => candidate.fingerprint === fingerprint);
    context.verdicts.push(equal === undefined ? { why: "new", ...fate, id } : { id, why: objection(equal) ?? "" });
    const runs =
      near === undefined && text !== undefined && part !== "nothing" && context.fall.level === 0
        ? findRuns(context, text, settings, numbered)
        : [];
    if (runs.length > 0) context.partial.push(id);
    if (near !== undefined) {
      if (text !== undefined) text.emittedAt = text.lines.map(() => undefined);
      emit(context, line, "nearHit", { ...own, ref: near.id, savedBytes: bytes - Buffer.byteLength(near.hint) });
    } else {
      const { why, cause } = context.judge?.verdicts.find(verdict => verdict.id === id) ?? {};
      const references = runs.map(({ ref, input, from, to, bytes }) => ({
        ref,
        ...(input && { input }),
        from,
        to,
        bytes,
      }));
      const savedBytes = runs.reduce((sum, run) => sum + run.bytes - Buffer.byteLength(run.hint), 0);
      const saved = runs.length > 0 ? { runs: references, savedBytes } : {};
      emit(context, line, "miss", { ...own, why, ...(cause === undefined ? {} : { cause }), ...saved });
      const oldest = context.cache[0];
      if (context.partial.includes(id)) {
        // Not in the context in full: no hint may replace the whole.
      } else if (equal !== undefined) {
        context.cache = context.cache.filter(entry => entry !== equal);
      } else if (oldest !== undefined && context.cache.length >= Math.max(1, settings.capacity)) {
        context.cache = context.cache.slice(1);
        emit(context, line, "evict", { id: oldest.id, cause: id });
      }
      const target = targetOf(call, path);
      const { uuid } = line.json;
      if (!context.partial.includes(id))
        context.cache.push({ id, tool, kind, path, target, body, fingerprint, uuid, line: line.number, call: from });
    }
  }

  const patterns = Object.hasOwn(settings.invalidates, tool) ? (settings.invalidates[tool] ?? []) : [];
  if (!failed) {
    const named = context.cache.filter(entry => patterns.some(pattern => matches(pattern, entry.tool)));
    invalidate(context, line, named, id, "tool");
  }
  context.style = styleIn(body ?? "") ?? context.style;
  context.results.push({ id, tool, path, edited: kind === "mutate" && !failed });
  const cleared = context.early.find(one => one.id === id);
  if (cleared !== undefined) clear(context, line, [id], cleared.by);
}

function invalidate(context: Context, line: Line, entries: Entry[], cause: string, by: "path" | "tool"): void {
  drop(context, entries, "invalidated", cause);
  for (const entry of entries) emit(context, line, "invalidate", { id: entry.id, cause, by });
}

function drop(context: Context, entries: Entry[], why: string, cause?: string): void {
  context.cache = context.cache.filter(entry => !entries.includes(entry));
  for (const { fingerprint } of entries) {
    context.fates.push(cause === undefined ? { fingerprint, why } : { fingerprint, why, cause });
  }
}

function emit(context: Context, line: Line, kind: string, fields: Json): void {
  context.events.push({ kind, line: line.number, at: line.at, partition: context.partition, ...fields });
}

// ---- docs/rules.md "What ends reachability" ----

function keptBy(line: Line): unknown[] {
  const kept = field(line.json, "compactMetadata", "preservedMessages");
  return list(kept, Array.isArray(field(kept, "allUuids")) ? "allUuids" : "uuids").filter(id => typeof id === "string");
}

function compact(context: Context, line: Line): void {
  const uuids = keptBy(line);
  const lost = context.cache.filter(entry => typeof entry.uuid !== "string" || !uuids.includes(entry.uuid));
  drop(context, lost, "compacted");
  context.partition += 1;
  context.boundary = line.number;
  context.texts = [];
  context.previousTotal = 0;
  context.hints = [];
  context.answeredWithHints = [];
  emit(context, line, "boundary", { kept: idsOf(context.cache), dropped: idsOf(lost) });
}

function clear(context: Context, line: Line, ids: unknown[], by: string): void {
  for (const id of ids) {
    const isKnown = context.results.some(result => result.id === id) || context.early.some(one => one.id === id);
    if (typeof id === "string" && !isKnown) context.early.push({ id, by });
  }
  const cleared = context.cache.filter(entry => ids.includes(entry.id));
  for (const text of context.texts) if (ids.includes(text.id)) text.isThere = false;
  drop(context, cleared, "cleared");
  context.previousTotal = 0; // the next request is smaller for a known reason
  if (cleared.length > 0) emit(context, line, "clear", { ids: idsOf(cleared), by });
}

/** Prompts of any kind and system lines may go back; only a prompt may start over. */
function checkRewind(context: Context, line: Line): void {
  const { type, isCompactSummary, parentUuid } = line.json;
  if (type === "user" && isCompactSummary === true) return;
  const parent = context.lines.findLast(earlier => typeof parentUuid === "string" && earlier.uuid === parentUuid);
  const boundary = context.lines.findLast(earlier => earlier.boundary)?.line ?? 0;
  const begins = type === "user" && parentUuid === null;
  if (parent === undefined && !begins) return;
  const after = begins ? boundary : (parent?.line ?? 0);
  if (!context.lines.some(earlier => earlier.assistant && earlier.line > after)) return;
  const rewound = context.cache.filter(entry => begins || entry.line > after);
  for (const text of context.texts) if (begins || text.line > after) text.isThere = false;
  drop(context, rewound, "rewound");
  context.previousTotal = 0;
  emit(context, line, "rewind", { dropped: idsOf(rewound) });
}

/** The API reports that it cleared results from a request, but not which. */
function checkEdits(context: Context, line: Line): void {
  const id = field(line.json, "message", "id");
  if (field(line.json, "message", "model") === "<synthetic>") return;
  if (typeof id !== "string" || id !== context.asked.id) context.edited = false;
  const edits = list(line.json, "message", "context_management", "applied_edits").filter(edit => {
    const cleared = field(edit, "cleared_tool_uses");
    return /^clear_tool_uses_/.test(String(field(edit, "type"))) && typeof cleared === "number" && cleared > 0;
  });
  if (context.edited || edits.length === 0) return;
  context.edited = true;
  context.texts = context.texts.map(text => ({ ...text, isThere: false }));
  clear(context, line, idsOf(context.cache), "edits");
}

function countRequest(context: Context, line: Line): void {
  const id = field(line.json, "message", "id");
  if (field(line.json, "message", "model") === "<synthetic>") return;
  if (typeof id === "string" && id === context.asked.id) return;
  context.asked = { count: context.asked.count + 1, id, line: line.number };
  fallBack(context, line);
}

// docs/rules.md "Falling back"
function fallBack(context: Context, line: Line): void {
  const { level, hinted, asked } = context.fall;
  if (level === 2 || hinted < 10 || asked / hinted <= 0.15) return;
  context.fall = { level: level + 1, hinted: 0, asked: 0 };
  emit(context, line, "fallback", { level: level === 0 ? "whole" : "none", hinted, asked });
}

function checkShrink(context: Context, line: Line): void {
  const id = field(line.json, "message", "id");
  const usage = (...names: string[]) => countOf(field(line.json, "message", "usage", ...names));
  // Versions before 2.1.152 could leave the total of what was written at 0 next to its two parts.
  const parts = ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"].map(name => usage("cache_creation", name));
  const written = Math.max(usage("cache_creation_input_tokens"), (parts[0] ?? 0) + (parts[1] ?? 0));
  const total = usage("input_tokens") + written + usage("cache_read_input_tokens");
  const same = context.request !== undefined && typeof id === "string" && context.request.id === id;
  if (!same) context.request = { id, total: 0 };
  const request = context.request;
  // A request is compared once, at its first line that has a total.
  const synthetic = field(line.json, "message", "model") === "<synthetic>";
  if (request === undefined || request.total > 0 || total === 0 || synthetic) return;
  request.total = total;
  if (total * 10 < context.previousTotal * 9) {
    const shrunk = context.cache;
    context.texts = [];
    drop(context, shrunk, "shrunk");
    emit(context, line, "shrink", { dropped: idsOf(shrunk) });
  }
  context.previousTotal = total;
}

function idsOf(entries: Entry[]): string[] {
  return entries.map(entry => entry.id);
}
