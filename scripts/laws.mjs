// `npm run laws -- PATH…`: whether span references keep their three laws on real logs: lossless, visible, shorter.
// Nothing of the engine is used here: the built program says what it would emit, and every hint is expanded from the
// texts emitted before it and compared with the log, read by plain JSON.parse.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { "span-min-bytes": { type: "string", default: "200" } },
});
if (paths.length === 0) {
  console.error("usage: npm run laws -- PATH… [--span-min-bytes N]");
  process.exit(2);
}
const MIN_BYTES = Number(values["span-min-bytes"]);
const PROGRAM = new URL("../dist/cli.js", import.meta.url).pathname;
const HINT =
  /^> \[ref: ([^\s,\]]+)(?: input\.([^\s,\]]+))? lines (\d+)-(\d+)(?:, (renumbered|numbered) from (\d+))?\]$/;
const PREFIX = { tab: /^(\d+)\t/, arrow: /^( *\d+)→/ };

let breaks = 0;
const home = mkdtempSync(join(tmpdir(), "dedup-inspector-laws-"));
function logsUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

/** What the program would emit, by context, in order. */
function replayed(file, inputs) {
  const args = ["replay", file, "--strategy", "span", "--json", `--span-min-bytes=${MIN_BYTES}`];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, ...args, ...(inputs ? ["--span-inputs"] : [])],
    {
      encoding: "utf8",
      maxBuffer: 4e9,
      env: { HOME: home, CLAUDE_CONFIG_DIR: home },
    },
  );
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

function checkFile(file, inputs, sums) {
  const lines = replayed(file, inputs);
  const contexts = new Map();
  const agent = /^agent-(.+)\.jsonl$/.exec(basename(file))?.[1];
  let next = 0;
  const broken = (id, law, why) => {
    breaks++;
    console.error(`${law}: ${file} ${id}: ${why}`);
  };
  for (const [index, text] of readFileSync(file, "utf8").split("\n").slice(0, -1).entries()) {
    const line = parsed(text);
    if (line === undefined) continue;
    const id = agent ?? (line.isSidechain === true ? (line.agentId ?? "sidechain") : "main");
    if (line.type === "content-replacement") {
      const named = contexts.get(agent ?? line.agentId ?? id);
      for (const one of line.replacements ?? []) named?.forget(one?.toolUseId);
      continue;
    }
    if (!contexts.has(id)) contexts.set(id, new Context());
    const context = contexts.get(id);
    const content = Array.isArray(line.message?.content) ? line.message.content : [];
    for (const block of line.type === "user" ? content : []) {
      if (block?.type !== "tool_result" || context.answered.has(block.tool_use_id)) continue;
      context.answered.add(block.tool_use_id);
      const told = lines[next++];
      if (told?.id !== block.tool_use_id || told.context !== id) {
        broken(block.tool_use_id, "order", `the program told of ${told?.id} in ${told?.context}`);
        return;
      }
      const body = bodyOf(block.content);
      if ((told.emitted === null) !== (body === null)) broken(told.id, "lossless", "text became none or none text");
      if (body !== null) checkResult(context, told, body, index, sums, broken);
    }
    if (line.type === "assistant") context.call(line, content, index);
    context.end(line, content);
    if (line.uuid) context.lineOf.set(line.uuid, index);
    if (line.type === "assistant") context.lastAssistant = index;
  }
  if (next < lines.length) broken(lines[next].id, "order", "it is not in the log");
}

/** Expands one result and remembers what the model was given. */
function checkResult(context, { id, emitted, partition }, body, index, sums, broken) {
  sums.results++;
  sums.bytes += Buffer.byteLength(body);
  sums.saved += Buffer.byteLength(body) - Buffer.byteLength(emitted);
  if (partition !== context.partition) broken(id, "visible", `partition ${partition}, not ${context.partition}`);
  const given = emitted.split("\n");
  if (emitted !== body) {
    const style = given.map(styleOf).find(Boolean) ?? context.style;
    let expanded = [];
    for (const line of given) {
      const hint = HINT.exec(line);
      if (hint === null) {
        expanded.push(line);
        continue;
      }
      sums.hints++;
      const [, ref, input, from, to, how, number] = hint;
      const source = context.texts.get(input === undefined ? ref : `${ref} input.${input}`);
      const lines = source?.slice(from - 1, to) ?? [];
      if (lines.length !== to - from + 1) broken(id, "visible", `nothing there: ${line}`);
      if (lines.some(one => one.startsWith("> [ref:") || one.startsWith("> [near-ref:")))
        broken(id, "visible", `a hint to a hint: ${line}`);
      const run = lines.map((one, at) => renumbered(one, how, Number(number) + at, style));
      const text = run.join("\n");
      if (Buffer.byteLength(text) < MIN_BYTES) broken(id, "shorter", `a run of too few bytes: ${line}`);
      if (line.length >= text.length) broken(id, "shorter", `the hint is not shorter: ${line}`);
      expanded = expanded.concat(run);
    }
    if (expanded.join("\n") !== body) broken(id, "lossless", "the expanded text is another one");
  }
  context.style = body.split("\n").map(styleOf).find(Boolean) ?? context.style;
  context.keep(id, given, index);
}

function renumbered(line, how, number, style) {
  if (how === undefined) return line;
  if (how === "numbered") return prefix(style, number) + line;
  const own = styleOf(line);
  return own === undefined ? "(a line without a number)" : prefix(own, number) + line.replace(PREFIX[own], "");
}

function prefix(style, number) {
  return style === "tab" ? `${number}\t` : `${String(number).padStart(6)}→`;
}

/** The style of a line's number, exactly as Read writes it. */
function styleOf(line) {
  for (const style of ["tab", "arrow"]) {
    const found = PREFIX[style].exec(line);
    if (found !== null && found[1].trim().length < 10 && found[0] === prefix(style, Number(found[1]))) return style;
  }
  return undefined;
}

/** What the model has: every text that a hint may point at. */
class Context {
  texts = new Map();
  placed = new Map();
  answered = new Set();
  lineOf = new Map();
  lastAssistant = -1;
  partition = 0;
  style = "tab";
  input = 0;
  message = undefined;

  keep(name, lines, index) {
    this.texts.set(name, lines);
    this.placed.set(name, index);
  }

  forget(id) {
    for (const name of this.texts.keys()) if (name === id || name.startsWith(`${id} `)) this.texts.delete(name);
  }

  call(line, content, index) {
    for (const block of content) {
      if (block?.type !== "tool_use" || typeof block.input !== "object" || block.input === null) continue;
      for (const [key, value] of Object.entries(block.input))
        if (typeof value === "string") this.keep(`${block.id} input.${key}`, value.split("\n"), index);
    }
    const { id, model, usage } = line.message ?? {};
    if (model === "<synthetic>" || (id !== undefined && id === this.message)) return;
    const total = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
      .map(name => usage?.[name] ?? 0)
      .reduce((sum, count) => sum + count);
    if (total === 0) return;
    this.message = id;
    if (total < 0.9 * this.input) this.texts.clear();
    this.input = total;
  }

  /** What ends reachability. */
  end(line, content) {
    if (line.subtype === "compact_boundary" && line.type === "system") {
      this.partition++;
      this.texts.clear();
      this.input = 0;
    } else if (line.subtype === "microcompact_boundary" && line.type === "system") {
      for (const id of line.microcompactMetadata?.compactedToolIds ?? []) this.forget(id);
      this.input = 0;
    } else if (line.type === "user" && !line.isMeta && !line.isCompactSummary) {
      if (content.some(block => block?.type === "tool_result")) return;
      const parent = this.lineOf.get(line.parentUuid);
      if (parent === undefined || this.lastAssistant <= parent) return;
      for (const [name, at] of this.placed) if (at > parent) this.texts.delete(name);
    }
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function bodyOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.some(block => block?.type !== "text")) return null;
  return content.map(block => block.text).join("\n");
}

const files = paths.flatMap(path => (statSync(path).isDirectory() ? logsUnder(path) : [path]));
for (const inputs of [false, true]) {
  const sums = { results: 0, bytes: 0, saved: 0, hints: 0 };
  for (const file of files) checkFile(file, inputs, sums);
  const share = ((100 * sums.saved) / sums.bytes).toFixed(2);
  const name = inputs ? "span, with inputs" : "span";
  console.log(
    `${name}: ${sums.results} results, ${sums.hints} hints save ${sums.saved} of ${sums.bytes} bytes, ${share} %`,
  );
}
rmSync(home, { recursive: true, force: true });
console.log(`${files.length} logs, ${breaks} law breaks`);
process.exitCode = breaks > 0 ? 1 : 0;
