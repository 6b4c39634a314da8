/**
 * Live hints as a Claude Code mod: the only module here that reaches out. Claude Code reads its source before it runs it,
 * so every call on `$` is written out, and `$` is handed to nothing but functions of this module. Whatever goes wrong, the
 * conversation goes on as if there were no mod.
 */
import { listOf, stringOf } from "../log/record.js";
import { isControl } from "../trial/assign.js";
import type { Row } from "./events.js";
import { LiveHints } from "./liveHints.js";
import { chosenIn, modSettings } from "./settings.js";

/** As much of Claude Code's interface for mods as is used here. */
interface Claude {
  readonly ui: { log(text: string, options?: { readonly to: "debug" }): unknown };
  readonly session: { messages(args?: MessagesArgs): Promise<unknown>; cwd(): Promise<string> };
  readonly env: { set(name: string, value: string): Promise<unknown> };
  readonly fs: { read(path: string): Promise<string> };
  readonly plugin: { readonly root: string };
}

interface MessagesArgs {
  readonly as: "api";
  readonly agentId?: string;
}

type Event = Readonly<Record<string, unknown>>;
type Next = (event: Event) => Promise<unknown>;
type Hook = ($: Claude, event: Event, next: Next) => Promise<unknown>;
type StreamHook = (
  $: Claude,
  event: Event,
  next: (event: Event) => AsyncGenerator<unknown, unknown>,
) => AsyncGenerator<unknown, unknown>;

interface On {
  (name: "turn.step", hook: StreamHook): unknown;
  (name: string, hook: Hook): unknown;
}

/** Undefined once anything has failed. */
let hints: LiveHints | undefined;
/** The same for calls that would write a hint into a file: those that were given stay in the conversation. */
let guard: LiveHints | undefined;

/** The session's id, once Claude Code has told it. */
let session: string | undefined;

export function register(on: On, options: unknown): void {
  guard = hints = new LiveHints(modSettings(options));

  on("classic.SessionStart", async ($, event, next) => {
    await begin($, event);
    const result = Object(await next(event));
    return withContext(result, event["source"] === "compact" ? hints?.explainAgain({}) : undefined);
  });

  on("classic.SubagentStart", async (_, event, next) => {
    const { agent_id: agentId, agent_type: type } = event;
    const result = Object(await next(event));
    // A fork has what its parent was told.
    return withContext(result, type === "fork" || agentId === undefined ? undefined : hints?.explain({ agentId }));
  });

  on("prompt.submit", async ($, event, next) => {
    const text = await explanation($);
    if (text === undefined) return next(event);
    return next({ ...event, context: [...listOf(event["context"]), text] });
  });

  on("turn.step", async function* ($, event, next) {
    await ask($, event);
    const result = yield* next(event);
    measure($, event, result);
    return result;
  });

  on("session.append", async ($, event, next) => {
    const message = await replaced($, event);
    return next(message === undefined ? event : { ...event, message });
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

/** Before the hook program hears of it: in a session that the mod looks after, it is silent. */
async function begin($: Claude, event: Event): Promise<void> {
  try {
    const { session_id, source } = event;
    session = stringOf(session_id) ?? session;
    if (typeof session_id === "string") await $.env.set("DEDUP_INSPECTOR_MOD", session_id);
    if (source !== "startup" && source !== "compact") hints?.forget();
    await heed($);
  } catch (error) {
    fail($, error);
  }
}

/** What the user has chosen since; the file lies beside a plugin that `hooks install` has set up, and nowhere else. */
async function heed($: Claude): Promise<void> {
  const text = await $.fs.read(`${$.plugin.root}/../../liveHints.json`).catch(() => "");
  const chosen = chosenIn(text);
  if (chosen !== undefined) hints?.heed(chosen.settings, isControl(session, chosen.trial));
}

/**
 * What a conversation holds: what the next request is made of, where this version can say that, else what Claude Code
 * shows. Earlier versions only know the main conversation, and may give it whoever is asked for.
 */
async function messages($: Claude, agentId: unknown): Promise<unknown> {
  try {
    return await $.session.messages({ as: "api", ...(typeof agentId === "string" && { agentId }) });
  } catch {
    return $.session.messages();
  }
}

async function explanation($: Claude): Promise<string | undefined> {
  try {
    await heed($);
    if (hints?.isUnsure({})) hints.settle(await messages($, undefined));
    return hints?.explain({});
  } catch (error) {
    return fail($, error);
  }
}

async function ask($: Claude, event: Event): Promise<void> {
  try {
    hints?.ask(event, await $.session.cwd());
  } catch (error) {
    fail($, error);
  }
}

function measure($: Claude, event: Event, result: unknown): void {
  try {
    hints?.answered(event, result);
  } catch (error) {
    fail($, error);
  }
}

/** The message with hints in it; undefined where the row stays as it is. */
async function replaced($: Claude, row: Row): Promise<unknown> {
  try {
    if (hints?.isUnsure(row)) hints.settle(await messages($, undefined));
    if (row.door !== "tool-result") return void hints?.take(row);
    const replacement = hints?.replace(row);
    if (hints === undefined || replacement === undefined) return undefined;
    if (hints.holds(replacement, await messages($, row.agentId))) return replacement.message;
    return void hints.withdraw(replacement);
  } catch (error) {
    return fail($, error);
  }
}

/** What the model must be told after a compaction; "" for nothing. */
function compacted($: Claude, { agentId, trigger }: Event, { messages }: Event): string {
  try {
    // One that is only prepared, or that does not take place, changes nothing.
    return messages === undefined || trigger === "precompute" ? "" : (hints?.compacted({ agentId }, messages) ?? "");
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
  } catch (error) {
    fail($, error);
  }
}

/** Live hints end here: what was missed, nobody knows. */
function fail($: Claude, error: unknown): undefined {
  if (hints === undefined) return undefined;
  hints = undefined;
  $.ui.log(`Live hints are off in this session: ${String(error)}`);
  return undefined;
}
