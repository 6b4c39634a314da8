// One session's log, line by line, in the shapes and proportions of real ones (see README.md).
import { base64, lines, text } from "./text.mjs";

const TOOLS = "Read Read Read Read Read Bash Bash Bash Bash Bash Bash Bash Edit Edit Edit Grep Grep Write".split(" ");
const MODELS = ["claude-opus-5", "claude-sonnet-5"];
/** The size in characters at which a context is compacted. */
const FULL = 600_000;

export class Session {
  #chance;
  #agent;
  #cwd;
  #sessionId;
  #model;
  #last = "null";
  #now;
  #context = 60_000;
  #files = [];
  #kept = [];
  /** Read results had arrows between number and text until 2.1.86. */
  #mark;

  constructor(chance, { sessionId, cwd, agent, startedAt }) {
    this.#chance = chance;
    this.#sessionId = sessionId;
    this.#cwd = cwd;
    this.#agent = agent;
    this.#now = startedAt;
    this.#model = chance.pick(MODELS);
    this.#mark = chance.is(0.5) ? "→" : "\\t";
    for (let file = 0; file < 14; file++) this.#files.push(this.#newFile(file));
  }

  /** The lines of one turn, from the prompt to its answer: some tens of kilobytes. */
  turn() {
    const chance = this.#chance;
    const out = [];
    if (this.#context > FULL) this.#compact(out);
    this.#prompt(out);
    const calls = 4 + chance.below(11);
    for (let call = 0; call < calls; call++) this.#call(out);
    this.#assistant(out, chance.id("msg"), `{"type":"text","text":"${text(chance, chance.size(500))}"}`);
    out.push(
      this.#line(`"type":"system","subtype":"turn_duration","durationMs":${chance.below(900_000)},"isMeta":false`),
    );
    return out;
  }

  #newFile(index) {
    const content = lines(this.#chance, this.#chance.size(1650, 0.9, 40_000));
    return { path: `${this.#cwd}/src/part${index}-${this.#chance.hex()}.ts`, content, shown: undefined };
  }

  #at() {
    this.#now += 200 + this.#chance.below(9000);
    return new Date(this.#now).toISOString();
  }

  /** A line of the conversation: its own fields between those that every line has. */
  #line(own) {
    const uuid = this.#chance.uuid();
    const side = this.#agent === undefined ? "false" : `true,"agentId":"${this.#agent}"`;
    const line = `{"parentUuid":${this.#last},"isSidechain":${side},${own},"uuid":"${uuid}","timestamp":"${this.#at()}","userType":"external","entrypoint":"cli","cwd":"${this.#cwd}","sessionId":"${this.#sessionId}","version":"2.1.${this.#mark === "→" ? 39 : 217}","gitBranch":"main"}`;
    this.#last = `"${uuid}"`;
    return line;
  }

  #prompt(out) {
    const chance = this.#chance;
    const session = `"sessionId":"${this.#sessionId}"`;
    out.push(`{"type":"mode","mode":"default",${session}}`);
    if (chance.is(0.5)) this.#snapshot(out);
    for (let piece = 0; piece < 2; piece++) if (chance.is(0.9)) this.#attachment(out);
    const picture = chance.is(0.028);
    const prompt = `"${text(chance, chance.size(500, 1.2))}"`;
    const image = `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${picture ? base64(chance, chance.size(70_000, 0.5)) : ""}"}}]`;
    out.push(
      this.#line(
        `"promptId":"${chance.uuid()}","type":"user","message":{"role":"user","content":${picture ? image : prompt}}`,
      ),
    );
    out.push(
      `{"type":"last-prompt","lastPrompt":${prompt.slice(0, 100).replace(/\\*"?$/, "")}","leafUuid":${this.#last},${session}}`,
    );
    out.push(`{"type":"custom-title","customTitle":"${text(chance, 40)}",${session}}`);
    if (chance.is(0.75)) {
      const content = `<task-notification>\\n${text(chance, chance.size(700))}\\n</task-notification>`;
      out.push(
        `{"type":"queue-operation","operation":"enqueue","timestamp":"${this.#at()}",${session},"content":"${content}"}`,
      );
    }
  }

  #snapshot(out) {
    const id = this.#chance.uuid();
    const backups = this.#files
      .slice(0, this.#chance.below(10))
      .map(
        ({ path }) =>
          `"${path}":{"backupFileName":"${this.#chance.hex()}@v1","version":1,"backupTime":"${this.#at()}"}`,
      );
    out.push(
      `{"type":"file-history-snapshot","messageId":"${id}","snapshot":{"messageId":"${id}","trackedFileBackups":{${backups}},"timestamp":"${this.#at()}"},"isSnapshotUpdate":false}`,
    );
  }

  #attachment(out) {
    const content = text(this.#chance, this.#chance.size(1300));
    out.push(
      this.#line(
        `"attachment":{"type":"edited_text_file","filename":"${this.#files[0].path}","snippet":"${content}"},"type":"attachment"`,
      ),
    );
  }

  /** One block of an answer; blocks of the same answer repeat its usage. */
  #assistant(out, message, block) {
    const tokens = Math.round(this.#context / 3.6);
    const fresh = 400 + this.#chance.below(3000);
    const usage = `"usage":{"input_tokens":3,"cache_creation_input_tokens":${fresh},"cache_read_input_tokens":${tokens - fresh},"output_tokens":${20 + this.#chance.below(900)},"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":${fresh}},"service_tier":"standard"}`;
    out.push(
      this.#line(
        `"message":{"model":"${this.#model}","id":"${message}","type":"message","role":"assistant","content":[${block}],"stop_reason":"tool_use","stop_sequence":null,${usage}},"requestId":"req_${message.slice(4)}","type":"assistant"`,
      ),
    );
    this.#context += block.length >> 1;
  }

  #call(out) {
    const chance = this.#chance;
    const message = chance.id("msg");
    if (chance.is(0.44)) {
      const signature = base64(chance, chance.size(1500));
      this.#assistant(
        out,
        message,
        `{"type":"thinking","thinking":"${text(chance, chance.size(320))}","signature":"${signature}"}`,
      );
    }
    if (chance.is(0.32)) this.#assistant(out, message, `{"type":"text","text":"${text(chance, chance.size(180))}"}`);
    const name = chance.pick(TOOLS);
    const id = chance.id("toolu");
    const { input, body, raw } = this.#use(name);
    this.#assistant(out, message, `{"type":"tool_use","id":"${id}","name":"${name}","input":{${input}}}`);
    const from = this.#last;
    for (let step = chance.below(name === "Bash" ? 5 : 1); step > 0; step--) this.#progress(out, id);
    const block = `{"tool_use_id":"${id}","type":"tool_result","content":"${body}"${name === "Bash" ? ',"is_error":false' : ""}}`;
    out.push(
      this.#line(
        `"type":"user","message":{"role":"user","content":[${block}]},"toolUseResult":{${raw}},"sourceToolAssistantUUID":${from}`,
      ),
    );
    this.#context += body.length;
    this.#kept.push(this.#last);
  }

  #progress(out, id) {
    const output = text(this.#chance, this.#chance.size(120));
    out.push(
      this.#line(
        `"type":"progress","data":{"type":"bash_progress","output":"${output}","fullOutput":"${output}","elapsedTimeSeconds":${this.#chance.below(60)},"totalLines":9},"toolUseID":"bash-progress-1","parentToolUseID":"${id}"`,
      ),
    );
  }

  /** A call's input, what the model got, and what else the log has. */
  #use(name) {
    const chance = this.#chance;
    // People and models return to the same few files.
    const file = this.#files[Math.min(chance.below(14), chance.below(14))];
    if (name === "Read") return this.#read(file);
    if (name === "Edit") return this.#edit(file);
    if (name === "Write") {
      const content = text(chance, chance.size(2600));
      const raw = `"type":"create","filePath":"${file.path}","content":"${content}","structuredPatch":[]`;
      return {
        input: `"file_path":"${file.path}","content":"${content}"`,
        body: `File created successfully at: ${file.path}`,
        raw,
      };
    }
    const body = text(chance, chance.size(name === "Bash" ? 260 : 500, 1.6, 30_000));
    if (name === "Bash") {
      const raw = `"stdout":"${body}","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false`;
      return { input: `"command":"${text(chance, chance.size(420))}","description":"${text(chance, 30)}"`, body, raw };
    }
    const raw = `"mode":"content","numFiles":0,"filenames":[],"content":"${body}","numLines":${chance.below(90)}`;
    return { input: `"pattern":"${text(chance, 20)}","path":"${this.#cwd}","output_mode":"content"`, body, raw };
  }

  #read(file) {
    file.shown ??= file.content.map((line, at) => `${String(at + 1).padStart(6)}${this.#mark}${line}`).join("\\n");
    const raw = `"type":"text","file":{"filePath":"${file.path}","content":"${file.content.join("\\n")}","numLines":${file.content.length},"startLine":1,"totalLines":${file.content.length}}`;
    return { input: `"file_path":"${file.path}"`, body: file.shown, raw };
  }

  #edit(file) {
    const at = this.#chance.below(file.content.length);
    const before = file.content.slice(at, at + 5);
    const whole = file.content.join("\\n");
    const after = lines(this.#chance, 200 + this.#chance.size(330));
    file.content = file.content.toSpliced(at, before.length + (file.content.length > 60 ? after.length : 0), ...after);
    file.shown = undefined;
    const [oldText, newText] = [before.join("\\n"), after.join("\\n")];
    const patch = after.map(line => `"+${line}"`);
    const strings = `"old_string":"${oldText}","new_string":"${newText}"`;
    const raw = `"filePath":"${file.path}",${strings.replaceAll("_s", "S")},"originalFile":"${whole}","structuredPatch":[{"oldStart":${at},"oldLines":5,"newStart":${at},"newLines":${after.length},"lines":[${patch}]}],"userModified":false,"replaceAll":false`;
    return {
      input: `"replace_all":false,"file_path":"${file.path}",${strings}`,
      body: `The file ${file.path} has been updated successfully.`,
      raw,
    };
  }

  #compact(out) {
    const kept = this.#kept.slice(-3);
    const tokens = Math.round(this.#context / 3.6);
    out.push(
      this.#line(
        `"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":${tokens},"preservedMessages":{"uuids":[${kept}],"allUuids":[${kept}]},"postTokens":20000}`,
      ),
    );
    out.push(
      this.#line(
        `"isCompactSummary":true,"type":"user","message":{"role":"user","content":"${text(this.#chance, 9000)}"}`,
      ),
    );
    this.#context = 80_000;
    this.#kept = [];
  }
}
