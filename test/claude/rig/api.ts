/** A Messages API on loopback that plays a script: it receives exactly what a model would have read. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Text {
  readonly type: "text";
  readonly text: string;
}

/** One answer of the model. */
export interface Turn {
  readonly blocks: readonly (ToolUse | Text)[];
  /** The request's size according to the answer; by default a quarter of its bytes. */
  readonly inputTokens?: number;
  /** How many of these tokens were written to the prompt cache for an hour, according to the answer. */
  readonly writtenTokens?: number;
  /** How many results the API cleared from the request before the model read it, according to the answer. */
  readonly cleared?: number;
  /** The answer waits for this; a function is called when the request has arrived. */
  readonly until?: Promise<unknown> | (() => Promise<unknown>) | undefined;
}

/** The answers of each conversation, identified by the last `script:NAME` in its prompts. Then "done". */
export type Script = Readonly<Record<string, readonly Turn[]>>;

export interface ToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  readonly is_error?: boolean;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly (ToolUse | Text | ToolResult)[];
}

export interface Request {
  /** The script's conversation, "summary", or "side" for side questions. */
  readonly conversation: string;
  readonly bytes: number;
  readonly messages: readonly Message[];
}

export interface ApiOptions {
  /** How long each answer takes. */
  readonly thinkMs?: number;
}

/** No real model answers before Claude Code has logged the request, which takes a tenth of a second. */
const THINK_MS = 300;

const SUMMARY_PROMPT = "Respond with TEXT ONLY. Do NOT call any tools.";

export class ScriptedApi {
  readonly requests: Request[] = [];
  readonly #script: Script;
  readonly #thinkMs: number;
  readonly #turns = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => void this.#answer(request.url ?? "", Buffer.concat(pieces), response));
  });

  constructor(script: Script, { thinkMs = THINK_MS }: ApiOptions = {}) {
    this.#script = script;
    this.#thinkMs = thinkMs;
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(url: string, body: Buffer, response: ServerResponse): Promise<void> {
    if (url.includes("/count_tokens")) return endJson(response, 200, { input_tokens: Math.ceil(body.length / 4) });
    if (!url.includes("/v1/messages")) return endJson(response, 404, {});
    const { messages, tools, model } = JSON.parse(body.toString()) as {
      messages: Message[];
      tools?: unknown[];
      model: string;
    };
    const conversation = this.#conversationOf(messages, (tools?.length ?? 0) > 0);
    this.requests.push({ conversation, bytes: body.length, messages });
    const turn = this.#turn(conversation, messages);
    const id = `msg_${this.requests.length}`;
    if (this.#thinkMs > 0) await wait(this.#thinkMs);
    await (typeof turn.until === "function" ? turn.until() : turn.until);
    stream(response, model, id, { inputTokens: Math.ceil(body.length / 4), ...turn });
  }

  #conversationOf(messages: readonly Message[], hasTools: boolean): string {
    // Reminders may follow the user message.
    const last = messages.findLast(({ role }) => role === "user");
    if (JSON.stringify(last).includes(SUMMARY_PROMPT)) return "summary";
    const name = nameIn(messages) ?? "";
    return hasTools && name in this.#script ? name : "side";
  }

  #turn(conversation: string, messages: readonly Message[]): Turn {
    // The summary keeps the script's name, which still identifies the conversation afterwards.
    if (conversation === "summary") {
      return say(`<analysis>short</analysis><summary>script:${nameIn(messages)}: work goes on</summary>`);
    }
    if (conversation === "side") return say("ok");
    const turn = this.#turns.get(conversation) ?? 0;
    this.#turns.set(conversation, turn + 1);
    return this.#script[conversation]?.[turn] ?? say("done");
  }
}

/** Only user text counts: calls and results may name other conversations. */
function nameIn(messages: readonly Message[]): string | undefined {
  const said = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => (typeof content === "string" ? content : content.map(block => textOf(block))));
  return [...said.join("\n").matchAll(/script:(\w+)/g)].at(-1)?.[1];
}

function textOf(block: ToolUse | Text | ToolResult): string {
  return block.type === "text" ? block.text : "";
}

let calls = 0;

/** A call as a block, for answers with several. */
export function use(name: string, input: Readonly<Record<string, unknown>>): ToolUse {
  return { type: "tool_use", id: `toolu_${String(++calls).padStart(24, "0")}`, name, input };
}

export function say(text: string): Turn {
  return { blocks: [{ type: "text", text }] };
}

export function turn(...blocks: readonly ToolUse[]): Turn {
  return { blocks };
}

function endJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(
  response: ServerResponse,
  model: string,
  id: string,
  { blocks, inputTokens, writtenTokens = 0, cleared = 0 }: Turn & { readonly inputTokens: number },
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = {
    input_tokens: inputTokens - writtenTokens,
    cache_creation_input_tokens: writtenTokens,
    cache_read_input_tokens: 0,
    ...(writtenTokens > 0 && {
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: writtenTokens },
    }),
    output_tokens: 10,
  };
  const edit = {
    type: "clear_tool_uses_20250919",
    cleared_tool_uses: cleared,
    cleared_input_tokens: 1000 * cleared,
  };
  const context_management = cleared > 0 ? { context_management: { applied_edits: [edit] } } : {};
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    usage,
    ...context_management,
  };
  send("message_start", { message });
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === "text";
    const empty = isText ? { type: "text", text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_start", { index, content_block: empty });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  const stop_reason = blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  send("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 10 },
    ...context_management,
  });
  send("message_stop", {});
  response.end();
}
