// Writes a session's log as Claude Code does: a line for each call, a line for its result.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** A text above the min size that counts, different for each name. */
export function body(name, lines = 40) {
  return Array.from({ length: lines }, (_, line) => `${name} line ${line + 1}: the quick brown fox`).join("\n");
}

export class SessionLog {
  #calls = 0;
  #lines = 0;
  #parent = null;
  #input = 4000;

  constructor(file, { sessionId, cwd = "/home/ana/project", title } = {}) {
    this.file = file;
    this.sessionId = sessionId ?? file.replace(/^.*\/|\.jsonl$/g, "");
    this.cwd = cwd;
    mkdirSync(dirname(file), { recursive: true });
    this.#add({ type: "user", message: { role: "user", content: "Please look at the files." } });
    if (title) this.#append({ type: "ai-title", aiTitle: title, sessionId: this.sessionId });
  }

  /** A tool call with its result; returns the call's number as in the panel. */
  call(name, input, result) {
    const id = `toolu_${String(++this.#calls).padStart(4, "0")}`;
    this.#input += Math.round(result.length / 3);
    const usage = { input_tokens: 3, cache_read_input_tokens: this.#input, output_tokens: 20 };
    const content = [{ type: "tool_use", id, name, input }];
    const message = { id: `msg_${this.#calls}`, role: "assistant", model: "claude-test", content, usage };
    this.#add({ type: "assistant", message });
    const answer = [{ type: "tool_result", tool_use_id: id, content: result }];
    this.#add({ type: "user", message: { role: "user", content: answer } });
    return this.#calls;
  }

  read(path, result) {
    return this.call("Read", { file_path: `${this.cwd}/${path}` }, result);
  }

  /** Summarises the context, which begins a new partition. */
  compact() {
    const compactMetadata = { trigger: "manual", preTokens: 50_000 };
    this.#parent = null;
    this.#input = 9000;
    this.#add({ type: "system", subtype: "compact_boundary", content: "Conversation compacted", compactMetadata });
  }

  #add(fields) {
    const { sessionId, cwd } = this;
    const uuid = `${sessionId}-line-${++this.#lines}`;
    const timestamp = new Date().toISOString();
    const about = { parentUuid: this.#parent, isSidechain: false, userType: "external", version: "2.1.219" };
    this.#append({ ...about, sessionId, cwd, uuid, timestamp, ...fields });
    this.#parent = uuid;
  }

  #append(line) {
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
