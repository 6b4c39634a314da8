/** Log lines for tests, as Claude Code writes them, reduced to what a reader uses. */

export type Json = Record<string, unknown>;

/** A text of exactly this many ASCII bytes; each `mark` gives a different text. */
export function textOf(bytes: number, mark = "a"): string {
  return `${mark}:`.padEnd(bytes, "x").slice(0, bytes);
}

export function logText(...lines: (Json | string)[]): string {
  return lines.map(line => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

export function call(id: string, name: string, input: Json = {}, more: Json = {}): Json {
  return {
    type: "assistant",
    ...more,
    message: { role: "assistant", content: [{ type: "tool_use", id, name, input }], ...(more["message"] as Json) },
  };
}

export function read(id: string, path: string, more: Json = {}): Json {
  return call(id, "Read", { file_path: path }, more);
}

export function result(id: string, content: unknown, more: Json = {}): Json {
  const { is_error, ...line } = more;
  const block = { type: "tool_result", tool_use_id: id, content, ...(is_error !== undefined && { is_error }) };
  return { type: "user", ...line, message: { role: "user", content: [block] } };
}

export function prompt(text: string, more: Json = {}): Json {
  return { type: "user", ...more, message: { role: "user", content: text } };
}

/** An answer without calls; `input` is the request's input total. */
export function answer(id: string, input: number, more: Json = {}): Json {
  const usage = { input_tokens: input, output_tokens: 10 };
  return { type: "assistant", ...more, message: { id, model: "m", usage, content: [], ...(more["message"] as Json) } };
}

export function boundary(preserved?: readonly string[], more: Json = {}): Json {
  const compactMetadata = preserved ? { trigger: "auto", preservedMessages: { allUuids: preserved } } : {};
  return { type: "system", subtype: "compact_boundary", compactMetadata, ...more };
}

export function microcompact(ids: readonly string[], more: Json = {}): Json {
  return { type: "system", subtype: "microcompact_boundary", microcompactMetadata: { compactedToolIds: ids }, ...more };
}

export function replacement(ids: readonly string[], more: Json = {}): Json {
  const replacements = ids.map(toolUseId => ({ kind: "tool-result", toolUseId, replacement: "[gone]" }));
  return { type: "content-replacement", replacements, ...more };
}

/** What Claude Code writes after a long pause, when it drops results from the next request. */
export function cut(ids: readonly string[], more: Json = {}): Json {
  return { type: "attachment", attachment: { type: "tool_results_cut", callIds: ids }, ...more };
}
