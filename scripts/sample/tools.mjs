// The session's tools: each function returns one call with its result.

import { SESSION_ID } from "./lines.mjs";
import { hunksOf, linesOf, ROOT } from "./project.mjs";

/**
 * @typedef {{ name: string, input: Record<string, unknown>, content: string | { type: string, text?: string }[],
 *   error?: boolean, denied?: object, meta: any, ms: number, backup?: { path: string, isNew: boolean } }} Call
 * @typedef {{ offset?: number, limit?: number }} Range
 */

/** @param {string} path */
const full = path => `${ROOT}/${path}`;

const STOPPED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

export class Tools {
  /** @param {import("./project.mjs").Project} project */
  constructor(project) {
    this.project = project;
    /** @type {Set<string>} */
    this.changed = new Set();
  }

  /** A backup of a file before its first change. @param {string} path @param {boolean} isNew */
  backup(path, isNew) {
    const backup = this.changed.has(path) ? {} : { backup: { path, isNew } };
    this.changed.add(path);
    return backup;
  }

  /** @param {string} path @param {Range} [range] @returns {Call} */
  read(path, range = {}) {
    // The empty line after the last line feed is counted.
    const all = this.project.text(path).split("\n");
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
    const input = { replace_all: false, file_path: full(path), old_string: before, new_string: after };
    const content = `The file ${full(path)} has been updated successfully.`;
    return { name: "Edit", input, content, meta, ms: 60, ...this.backup(path, false) };
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
      userModified: false,
    };
    const current = "(file state is current in your context — no need to Read it back)";
    const content = made
      ? `File created successfully at: ${full(path)} ${current}`
      : `The file ${full(path)} has been updated successfully. ${current}`;
    const input = { file_path: full(path), content: text };
    return { name: "Write", input, content, meta, ms: 60, ...this.backup(path, made) };
  }

  /** @param {string} command @param {string} description @param {string} output @param {number} [ms] @returns {Call} */
  bash(command, description, output, ms = 300) {
    const meta = { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    // The model is not given the empty lines at the start.
    const shown = output.replace(/^(\s*\n)+/, "");
    const content = shown === "" ? "(Bash completed with no output)" : shown;
    return { name: "Bash", input: { command, description }, content, meta, ms };
  }

  /** @param {string} command @param {string} description @param {string} output @param {number} [ms] @returns {Call} */
  fails(command, description, output, ms = 900) {
    const content = `Exit code 1\n${output}`;
    return { name: "Bash", input: { command, description }, content, error: true, meta: `Error: ${content}`, ms };
  }

  /** A command that the user ends. @param {string} command @param {string} description @param {number} ms @returns {Call} */
  stopped(command, description, ms) {
    const meta = "User rejected tool use";
    return {
      name: "Bash",
      input: { command, description },
      content: STOPPED,
      error: true,
      meta,
      ms,
      denied: { toolDenialKind: "user-rejected" },
    };
  }

  /** @param {string} path */
  where(path) {
    return full(path);
  }

  /** Any tool that answers with an error. @param {string} name @param {Record<string, unknown>} input @param {string} text @returns {Call} */
  refused(name, input, text) {
    const content = `<tool_use_error>${text}</tool_use_error>`;
    return { name, input, content, error: true, denied: {}, meta: `Error: ${text}`, ms: 15 };
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
    const meta = { mode: "content", numFiles: 0, filenames: [], content: found.join("\n") };
    const counted = { ...meta, numLines: found.length, totalLines: found.length };
    return {
      name: "Grep",
      input: { pattern, ...where, output_mode: "content", "-n": true },
      content,
      meta: counted,
      ms: 90,
    };
  }

  /** @param {string} pattern @param {RegExp} meaning @returns {Call} */
  glob(pattern, meaning) {
    const filenames = this.project.paths().filter(path => meaning.test(path));
    const counts = { numFiles: filenames.length, truncated: false, totalMatches: filenames.length };
    const meta = { filenames, durationMs: 31, ...counts, countIsComplete: true };
    return { name: "Glob", input: { pattern }, content: filenames.join("\n"), meta, ms: 60 };
  }

  /** A tool of an MCP server, answering with one text block. @param {string} name @param {Record<string, unknown>} input @param {object} answer @returns {Call} */
  mcp(name, input, answer) {
    const blocks = [{ type: "text", text: JSON.stringify(answer, null, 2) }];
    return { name, input, content: blocks, meta: blocks, ms: 700 };
  }

  /** @param {number} number @param {string} subject @param {string} activeForm @returns {Call} */
  task(number, subject, activeForm) {
    const content = `Task #${number} created successfully: ${subject}`;
    const input = { subject, description: subject, activeForm };
    const meta = { task: { id: String(number), subject, description: subject } };
    return { name: "TaskCreate", input, content, meta, ms: 10 };
  }

  /** @param {number} number @param {string} from @param {string} to @returns {Call} */
  taskStatus(number, from, to) {
    const taskId = String(number);
    const meta = { success: true, taskId, updatedFields: ["status"], statusChange: { from, to } };
    return {
      name: "TaskUpdate",
      input: { taskId, status: to },
      content: `Updated task #${number} status`,
      meta,
      ms: 10,
    };
  }

  /** @param {string} query @param {string[]} names @returns {Call} */
  toolSearch(query, names) {
    const content = names.map(name => ({ type: "tool_reference", tool_name: name }));
    const meta = { matches: names, query, total_deferred_tools: 14 };
    return { name: "ToolSearch", input: { query, max_results: 5 }, content, meta, ms: 15 };
  }

  /** Where the answer of a background subagent goes. @param {string} agentId */
  outputOf(agentId) {
    return `/tmp/claude-1000/${ROOT.replaceAll("/", "-")}/${SESSION_ID}/tasks/${agentId}.output`;
  }

  /** A call that starts a subagent. @param {{ description: string, prompt: string, subagent_type: string }} input @returns {Call} */
  agent(input) {
    return { name: "Agent", input, content: [], meta: null, ms: 30 };
  }

  /** It has started, in the background. @param {Call} call @param {string} agentId @param {string} model @returns {Call} */
  launched(call, agentId, model) {
    const { description, prompt } = call.input;
    const outputFile = this.outputOf(agentId);
    const text = [
      "Async agent launched successfully.",
      `agentId: ${agentId} (internal ID - do not mention to user.)`,
      "The agent is working in the background. You will be notified automatically when it completes.",
      `output_file: ${outputFile}`,
    ].join("\n");
    const started = { isAsync: true, status: "async_launched", agentId, description, resolvedModel: model, prompt };
    const meta = { ...started, outputFile, canReadOutputFile: true, canContinueAgent: true };
    return { ...call, content: [{ type: "text", text }], meta };
  }
}
