/** A session of the mod, without Claude Code. */
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import { LiveHints } from "../../src/mod/sessionHints.js";

/** As Read shows them. */
export function lines(from: number, to: number, mark = "a"): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return numbers.map(number => `${number}\tline ${number} of a file that is called ${mark}`).join("\n");
}

/** A session in which calls are answered immediately, and messages are what was said, unless a test says otherwise. */
export class Session {
  readonly hints: LiveHints;
  messages: { role: string; text: string; toolUses: Record<string, unknown>[] }[] = [];
  /** Undefined if it cannot be read. */
  log: string | undefined = "";
  /** The time, in milliseconds. */
  now = 0;

  constructor(settings: Partial<DedupSettings> = {}) {
    this.hints = new LiveHints({ ...DEFAULT_SETTINGS, ...settings });
  }

  /** What the model reads as the result of a call in its own message. */
  call(
    id: string,
    text: string,
    tool = "Read",
    input: Record<string, unknown> = { file_path: "/p/a.ts" },
    isError = false,
  ): string {
    return this.calls([{ id, text, tool, input, isError }])[0] ?? "";
  }

  calls(
    calls: { id: string; text: string; tool: string; input: Record<string, unknown>; isError?: boolean }[],
    agentId?: string,
  ): string[] {
    this.hints.ask({ agentId }, "/p", this.now);
    for (const { id, tool, input } of calls) {
      const content = [{ type: "tool_use", id, name: tool, input }];
      this.#settle();
      this.hints.take({ door: "response", message: { role: "assistant", content }, agentId });
    }
    this.hints.answered({ agentId }, {}, this.now);
    return calls.map(({ id, text, tool, input, isError }) => {
      const content = [{ type: "tool_result", tool_use_id: id, content: text, is_error: isError }];
      const replacement = this.hints.replace({ door: "tool-result", message: { content }, agentId });
      const isHeld = replacement !== undefined && this.hints.holds(replacement, this.messages);
      if (replacement !== undefined && !isHeld) this.hints.withdraw(replacement);
      const said = isHeld ? (replacement.answers[0]?.text ?? text) : text;
      if (agentId === undefined)
        this.messages.push({ role: "assistant", text: "", toolUses: [{ tool_use_id: id, tool, input, text: said }] });
      this.messages.push({ role: "user", text: "", toolUses: [] });
      return said;
    });
  }

  say(): void {
    this.hints.take({ door: "prompt" });
  }

  #settle(): void {
    if (this.hints.isUnsure({})) this.hints.settle(this.messages, this.log);
  }
}

/** A session's messages as a request has them: only then is everything listed that Claude Code added. */
export function requested({ messages }: Session, ...added: string[]): unknown[] {
  return [
    ...messages.flatMap(({ toolUses }) =>
      toolUses.flatMap(({ tool_use_id: id, tool: name, input, text }) => [
        { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
      ]),
    ),
    { role: "user", content: added.map(text => ({ type: "text", text })) },
  ];
}
