/**
 * Live hints as a Claude Code mod: the only module here with side effects. Claude Code reads its source before it runs
 * it, so every call on `$` is written out, and `$` is only passed to functions of this module. Whatever goes wrong, the
 * conversation continues as if there were no mod.
 */
import { listOf, membersOf, stringOf } from "../log/record.js";
import { isControl } from "../trial/assign.js";
import { strings } from "../words/strings.js";
import type { Claude, Event, On } from "./claude.js";
import type { Row } from "./modEvents.js";
import { PANE, Pane } from "./pane.js";
import { chosenIn, modSettings } from "./pluginSettings.js";
import { LiveHints, type PromptNotice } from "./sessionHints.js";

/** Undefined once anything has failed. */
let hints: LiveHints | undefined;
/**
 * Refuses calls that would write a hint into a file. Stays active after hints have ended: earlier hints remain in the
 * conversation. Undefined if another copy of this mod, or the hooks, handle all sessions from now on.
 */
let guard: LiveHints | undefined;
/** Undefined like `guard`. */
let pane: Pane | undefined;
let cwd: string | undefined;
/** The session's log. */
let log: string | undefined;
/** The user wants one short line above the prompt. */
let isLineShown = false;
/** Redraws the pane while it is open: the cache expires without an event. */
let redraw: { cancel(): unknown } | undefined;

/** The session's id, once known. */
let session: string | undefined;

export function register(on: On, options: unknown): void {
  const settings = modSettings(options);
  guard = hints = new LiveHints(settings);
  pane = new Pane(settings);

  on("session.start", async ($, event, next) => {
    await offerPane($);
    await continueSession($);
    return next(event);
  });

  on("command.run", { command: "dedup" }, async ($, event, next) => {
    return pane === undefined ? next(event) : showPane($, pane);
  });

  on("ui.render", { component: "Pane" }, async ($, event, next) => {
    if (pane === undefined || event["requestId"] !== PANE) return next(event);
    pane.usage = await usage($);
    return pane.draw($.ui.resolve(event), event["props"], Date.now());
  });

  isLineShown = membersOf(options)["line"] === true;
  // Only if enabled: this hook runs on every draw.
  if (isLineShown) {
    on("ui.render", { component: "AbovePrompt" }, async ($, event, next) => {
      const others = await next(event);
      if (pane === undefined) return others;
      pane.usage = await usage($);
      const { Box, Text } = $.ui.resolve(event);
      const line = pane.line({ Box, Text });
      if (line === undefined) return others;
      return Box({ flexDirection: "column", children: [others, line].filter(Boolean) });
    });
  }

  on("ui.close", async (_, event, next) => {
    if (event["id"] === PANE) closed();
    return next(event);
  });

  on("classic.SessionStart", async ($, event, next) => {
    await begin($, event);
    const result = Object(await next(event));
    return withContext(result, event["source"] === "compact" ? recorded(hints?.explainAgain({})) : undefined);
  });

  on("classic.SubagentStart", async (_, event, next) => {
    const { agent_id: agentId, agent_type: type } = event;
    const result = Object(await next(event));
    // A fork has its parent's explanation.
    return withContext(result, type === "fork" || agentId === undefined ? undefined : hints?.explain({ agentId }));
  });

  on("prompt.submit", async ($, event, next) => {
    const notice = await noticeFor($);
    if (notice === undefined) return next(event);
    const result = await next({ ...event, context: [...listOf(event["context"]), notice.text] });
    // Another mod or hook refused the prompt.
    if (membersOf(result)["drop"] !== undefined) notice.takeBack();
    else recorded(notice.text);
    return result;
  });

  on("turn.step", async function* ($, event, next) {
    await ask($, event);
    const result = yield* next(event);
    measure($, event, result);
    return result;
  });

  on("session.append", async ($, event, next) => {
    const message = await replaced($, event);
    const row = message === undefined ? event : { ...event, message };
    pane?.note(ledger => ledger.take(row, cwd, Date.now()));
    drawAgain($);
    return next(row);
  });

  on("session.compact", async ($, event, next) => {
    const result = Object(await next(event));
    const text = compacted($, event, result);
    if (text === "") return result;
    return { ...result, messages: [...result.messages, { role: "user", text, toolUses: [] }] };
  });

  on("tool.call", async ($, event, next) => {
    const deny = refusal($, event);
    if (deny !== undefined) return { deny };
    const result = await next(event);
    returned($, event, result);
    return result;
  });
}

function withContext(result: Event, text: string | undefined): Event {
  if (text === undefined) return result;
  return { ...result, additionalContext: [...listOf(result["additionalContext"]), text] };
}

/** Explanations for the model count as a cost. */
function recorded(text: string | undefined): string | undefined {
  if (text !== undefined) pane?.note(ledger => ledger.explained(text));
  return text;
}

/** Before the hook program sees the event: it stays silent in sessions that the mod handles. */
async function begin($: Claude, event: Event): Promise<void> {
  try {
    const { session_id, source } = event;
    if (guard === undefined) return;
    // The same session continues without hints: the hooks would not know what it has.
    if (hints === undefined && (stringOf(session_id) ?? session) !== session) return await handOver($);
    session = stringOf(session_id) ?? session;
    if (typeof session_id === "string" && !(await isOurs($, session_id))) return;
    cwd = await $.session.cwd();
    log = stringOf(event["transcript_path"]) ?? log;
    if (source !== "startup" && source !== "compact") {
      hints?.forget(answeredAt(event, Date.now()));
      pane?.note(ledger => ledger.forget());
    }
    await applySettings($);
  } catch (error) {
    fail($, error);
  }
}

/** If this mod is reloaded, nothing else says which session it is in until the next compaction. */
async function continueSession($: Claude): Promise<void> {
  try {
    session ??= stringOf(await $.session.id());
    if (guard !== undefined && (session === undefined || (await isOurs($, session)))) await applySettings($);
  } catch (error) {
    $.ui.log(String(error), { to: "debug" });
  }
}

/** When a conversation that is resumed had its last answer; undefined if it is new. */
function answeredAt({ source, seconds_since_last_response: seconds }: Event, now: number): number | undefined {
  if (source === "clear") return undefined;
  return typeof seconds === "number" ? now - 1000 * seconds : Number.NEGATIVE_INFINITY;
}

/** After a failure, the hooks handle every other session of this process, and this one if it is resumed later. */
async function handOver($: Claude): Promise<void> {
  closed();
  guard = pane = undefined;
  await $.env.set("DEDUP_INSPECTOR_MOD", "");
}

/** If both `hooks install` and a marketplace installed this mod, only the first copy to see a session continues. */
async function isOurs($: Claude, session: string): Promise<boolean> {
  const [taken, by] = [await $.env.get("DEDUP_INSPECTOR_MOD"), await $.env.get("DEDUP_INSPECTOR_MOD_ROOT")];
  if (taken === session && !isSamePlugin(by, $.plugin.root)) {
    guard = hints = pane = undefined;
    return false;
  }
  await $.env.set("DEDUP_INSPECTOR_MOD", session);
  await $.env.set("DEDUP_INSPECTOR_MOD_ROOT", $.plugin.root);
  return true;
}

/** A plugin that is updated and reloaded continues from a folder next to that of the version before. */
function isSamePlugin(root: unknown, other: string): boolean {
  const folderOf = (path: string) => path.replace(/[\\/][^\\/]*$/, "");
  return typeof root === "string" && folderOf(root) === folderOf(other);
}

/** Applies the user's latest settings; only a plugin set up by `hooks install` has this file. */
async function applySettings($: Claude): Promise<void> {
  const text = await $.fs.read(`${$.plugin.root}/../../liveHints.json`).catch(() => "");
  const chosen = chosenIn(text);
  if (chosen === undefined) return;
  const isWithout = isControl(session, chosen.trial);
  hints?.applySettings(chosen.settings, isWithout);
  if (pane !== undefined) pane.isOn = hints !== undefined && !isWithout;
  pane?.note(ledger => ledger.applySettings(chosen.settings));
}

/** If the name is taken, there is no pane. */
async function offerPane($: Claude): Promise<void> {
  try {
    await $.command.register({ name: "dedup", description: strings.pane.about, immediate: true });
  } catch (error) {
    $.ui.log(String(error), { to: "debug" });
  }
}

/** Opens or closes the pane; if nothing can draw it, returns its contents as text. */
async function showPane($: Claude, shown: Pane): Promise<unknown> {
  await settleIfUnsure($);
  if (shown.isOpen) {
    closed();
    await $.ui.close({ id: PANE });
    return {};
  }
  if (await isPlaced($)) {
    shown.isOpen = true;
    await readForPane($, shown);
    redraw = $.clock.every(REDRAW_MS, () => void readForPane($, shown).then(() => drawAgain($)));
    return {};
  }
  await readForPane($, shown);
  shown.usage = await usage($);
  return { text: shown.text(Date.now()) };
}

/** Opens the pane if anything can draw it. */
async function isPlaced($: Claude): Promise<boolean> {
  try {
    // 2.1.289 reports it as placed even if nothing can draw it.
    if (listOf(await $.session.surfaces()).length === 0) return false;
    if (membersOf(await $.ui.open({ id: PANE, title: strings.pane.title }))["isPlaced"] === true) return true;
    // Otherwise, it would wait for something that can.
    await $.ui.close({ id: PANE });
  } catch (error) {
    $.ui.log(String(error), { to: "debug" });
  }
  return false;
}

/** Undefined for a log over 4 MB: it cannot be read. */
async function readLog($: Claude): Promise<string | undefined> {
  return log === undefined ? undefined : $.fs.read(log).catch(() => undefined);
}

/** Only while the pane is in use, and only until it has the wanted information. */
async function readForPane($: Claude, shown: Pane): Promise<void> {
  if (log === undefined || !shown.lacksLog) return;
  const text = (await readLog($)) ?? "";
  shown.note(ledger => ledger.read(text));
  // The pane was drawn when it was opened, before this was known.
  drawAgain($);
}

const REDRAW_MS = 20_000;

function closed(): void {
  if (pane !== undefined) pane.isOpen = false;
  redraw?.cancel();
  redraw = undefined;
}

function drawAgain($: Claude): void {
  if (pane?.isOpen || isLineShown) $.ui.invalidate("ui.render");
}

/** How full the context is; undefined in versions that do not report it. */
async function usage($: Claude): Promise<Pane["usage"]> {
  try {
    const { tokens, window } = membersOf(membersOf(await $.session.usage())["context"]);
    return { tokens, window };
  } catch {
    return undefined;
  }
}

/** A resumed session may not have had a prompt yet. */
async function settleIfUnsure($: Claude): Promise<void> {
  try {
    if (hints?.isUnsure({})) await settle($);
  } catch (error) {
    fail($, error);
  }
}

async function settle($: Claude): Promise<void> {
  const text = hints?.learnsPast ? await readLog($) : undefined;
  const list = await messages($, undefined);
  hints?.settle(list, text);
  pane?.note(ledger => ledger.settle(list, cwd));
}

/**
 * What a conversation holds: the contents of the next request if this version can provide them, otherwise what Claude
 * Code shows. Earlier versions only know the main conversation, and may return it for any agent.
 */
async function messages($: Claude, agentId: unknown): Promise<unknown> {
  try {
    return await $.session.messages({ as: "api", ...(typeof agentId === "string" && { agentId }) });
  } catch {
    return $.session.messages();
  }
}

async function noticeFor($: Claude): Promise<PromptNotice | undefined> {
  try {
    await applySettings($);
    if (hints !== undefined) await settle($);
    if (hints?.needsLog) hints.learnCut((await readLog($)) ?? "");
    return hints?.notice();
  } catch (error) {
    return fail($, error);
  }
}

async function ask($: Claude, event: Event): Promise<void> {
  try {
    cwd = await $.session.cwd();
    hints?.ask(event, cwd, Date.now());
    pane?.note(ledger => ledger.ask(event));
  } catch (error) {
    fail($, error);
  }
}

function measure($: Claude, event: Event, result: unknown): void {
  try {
    hints?.answered(event, result, Date.now());
    pane?.note(ledger => ledger.answered(event, result, Date.now()));
    drawAgain($);
  } catch (error) {
    fail($, error);
  }
}

/** The message with hints in it; undefined if the row stays unchanged. */
async function replaced($: Claude, row: Row): Promise<unknown> {
  try {
    if (hints?.isUnsure(row)) await settle($);
    if (row.door !== "tool-result") return void hints?.take(row);
    const replacement = hints?.replace(row, Date.now());
    if (hints === undefined || replacement === undefined) return undefined;
    if (hints.holds(replacement, await messages($, row.agentId))) return replacement.message;
    return void hints.withdraw(replacement);
  } catch (error) {
    return fail($, error);
  }
}

/** What to tell the model after a compaction; "" if nothing. */
function compacted($: Claude, { agentId, trigger }: Event, { messages }: Event): string {
  try {
    // A compaction that is only prepared, or canceled, changes nothing.
    if (messages === undefined || trigger === "precompute") return "";
    pane?.note(ledger => ledger.compacted({ agentId }, messages));
    return hints?.compacted({ agentId }, messages) ?? "";
  } catch (error) {
    return fail($, error) ?? "";
  }
}

function refusal($: Claude, event: Event): string | undefined {
  try {
    return guard?.refusal(event);
  } catch (error) {
    return fail($, error);
  }
}

function returned($: Claude, event: Event, result: unknown): void {
  try {
    hints?.returned(event, result);
    pane?.note(ledger => ledger.returned(event, result));
  } catch (error) {
    fail($, error);
  }
}

/** Live hints end here: there is no way to know what was missed. */
function fail($: Claude, error: unknown): undefined {
  if (hints === undefined) return undefined;
  hints = undefined;
  if (pane !== undefined) pane.isOn = false;
  $.ui.log(`Live hints are off in this session: ${String(error)}`);
  return undefined;
}
