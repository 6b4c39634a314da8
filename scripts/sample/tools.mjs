// The session's tools: each function returns one call with its result.

import { hunksOf, linesOf, ROOT } from "./project.mjs";

/**
 * @typedef {{ name: string, input: Record<string, unknown>, content: string | object[], error?: boolean,
 *   meta: unknown, ms: number }} Call
 * @typedef {{ offset?: number, limit?: number }} Range
 */

const STUB = "Wasted call — file unchanged since your last Read. Refer to that earlier tool_result instead.";

/** @param {string} path */
const full = path => `${ROOT}/${path}`;

export class Tools {
  /** @param {import("./project.mjs").Project} project */
  constructor(project) {
    this.project = project;
  }

  /** @param {string} path @param {Range} [range] @returns {Call} */
  read(path, range = {}) {
    const all = linesOf(this.project.text(path));
    const first = range.offset ?? 1;
    const lines = all.slice(first - 1, range.limit === undefined ? undefined : first - 1 + range.limit);
    const content = lines.map((line, i) => `${first + i}\t${line}`).join("\n");
    const file = {
      filePath: full(path),
      content: lines.join("\n"),
      numLines: lines.length,
      startLine: first,
      totalLines: all.length,
    };
    return { name: "Read", input: { file_path: full(path), ...range }, content, meta: { type: "text", file }, ms: 40 };
  }

  /** A re-read that Claude Code itself answers with a stub. @param {string} path @param {Range} [range] @returns {Call} */
  unchanged(path, range = {}) {
    const meta = { type: "file_unchanged", file: { filePath: full(path) } };
    return { name: "Read", input: { file_path: full(path), ...range }, content: STUB, meta, ms: 20 };
  }

  /** @param {string} path @param {string} base64 @param {number} width @param {number} height @returns {Call} */
  image(path, base64, width, height) {
    const source = { type: "base64", data: base64, media_type: "image/png" };
    const dimensions = { originalWidth: width, originalHeight: height, displayWidth: width, displayHeight: height };
    const file = { base64, type: "image/png", originalSize: Buffer.from(base64, "base64").length, dimensions };
    const meta = { type: "image", file };
    return { name: "Read", input: { file_path: full(path) }, content: [{ type: "image", source }], meta, ms: 60 };
  }

  /** @param {string} path @param {string} before @param {string} after @returns {Call} */
  edit(path, before, after) {
    const original = this.project.text(path);
    this.project.replace(path, before, after);
    const meta = {
      filePath: full(path),
      oldString: before,
      newString: after,
      originalFile: original.length <= 1000 ? original : null,
      structuredPatch: hunksOf(original, this.project.text(path)),
      userModified: false,
      replaceAll: false,
    };
    const input = { file_path: full(path), old_string: before, new_string: after };
    return { name: "Edit", input, content: `The file ${full(path)} has been updated successfully.`, meta, ms: 60 };
  }

  /** @param {string} path @param {string} text @returns {Call} */
  write(path, text) {
    const before = this.project.files.get(path);
    this.project.files.set(path, text);
    const made = before === undefined;
    const structuredPatch = made ? [] : hunksOf(before, text);
    const meta = {
      type: made ? "create" : "update",
      filePath: full(path),
      content: text,
      structuredPatch,
      originalFile: null,
    };
    const content = made
      ? `File created successfully at: ${full(path)}`
      : `The file ${full(path)} has been updated successfully.`;
    return { name: "Write", input: { file_path: full(path), content: text }, content, meta, ms: 60 };
  }

  /** @param {string} command @param {string} output @param {number} [ms] @returns {Call} */
  bash(command, output, ms = 300) {
    const meta = { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: output === "" };
    const content = output === "" ? "(Bash completed with no output)" : output;
    return { name: "Bash", input: { command }, content, meta, ms };
  }

  /** @param {string} command @param {string} output @param {number} [ms] @returns {Call} */
  fails(command, output, ms = 900) {
    const content = `Exit code 1\n${output}`;
    return { name: "Bash", input: { command }, content, error: true, meta: `Error: ${content}`, ms };
  }

  /** Any tool that answers with an error. @param {string} name @param {Record<string, unknown>} input @param {string} text @returns {Call} */
  refused(name, input, text) {
    const content = `<tool_use_error>${text}</tool_use_error>`;
    return { name, input, content, error: true, meta: `Error: ${text}`, ms: 15 };
  }

  /** @param {string} pattern @param {string} [under] @returns {Call} */
  grep(pattern, under) {
    /** @type {string[]} */
    const found = [];
    for (const path of this.project.paths()) {
      if (under !== undefined && path !== under && !path.startsWith(`${under}/`)) continue;
      linesOf(this.project.text(path)).forEach((line, i) => {
        if (new RegExp(pattern).test(line)) found.push(`${path}:${i + 1}:${line}`);
      });
    }
    const content = found.length === 0 ? "No matches found" : found.join("\n");
    const where = under === undefined ? {} : { path: full(under) };
    const meta = { mode: "content", numFiles: 0, filenames: [], content: found.join("\n"), numLines: found.length };
    return { name: "Grep", input: { pattern, ...where, output_mode: "content", "-n": true }, content, meta, ms: 90 };
  }

  /** @param {string} pattern @param {RegExp} meaning @returns {Call} */
  glob(pattern, meaning) {
    const filenames = this.project.paths().filter(path => meaning.test(path));
    const shown = filenames.map(full);
    const meta = { filenames: shown, durationMs: 31, numFiles: shown.length, truncated: false };
    return { name: "Glob", input: { pattern }, content: shown.join("\n"), meta, ms: 60 };
  }

  /** A tool of an MCP server, answering with one text block. @param {string} name @param {Record<string, unknown>} input @param {object} answer @returns {Call} */
  mcp(name, input, answer) {
    const blocks = [{ type: "text", text: JSON.stringify(answer, null, 2) }];
    return { name, input, content: blocks, meta: blocks, ms: 700 };
  }

  /** @param {number} number @param {string} subject @returns {Call} */
  task(number, subject) {
    const content = `Task #${number} created successfully: ${subject}`;
    return { name: "TaskCreate", input: { subject }, content, meta: { task: { id: String(number), subject } }, ms: 10 };
  }

  /** @param {number} number @param {string} status @returns {Call} */
  taskStatus(number, status) {
    const input = { taskId: String(number), status };
    const meta = { success: true, taskId: String(number), updatedFields: ["status"] };
    return { name: "TaskUpdate", input, content: `Updated task #${number} status`, meta, ms: 10 };
  }

  /** @param {string} query @param {string[]} names @returns {Call} */
  toolSearch(query, names) {
    const content = names.map(name => ({ type: "tool_reference", tool_name: name }));
    const meta = { matches: names, query, total_deferred_tools: 14 };
    return { name: "ToolSearch", input: { query, max_results: 5 }, content, meta, ms: 15 };
  }
}
