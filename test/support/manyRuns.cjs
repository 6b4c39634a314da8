/**
 * Runs the built program many times in one process, because starting Node takes far longer than most runs. Each run gets a
 * fresh copy of the program's modules, its own arguments, environment, current folder and output, and ends where a
 * process of its own would: when nothing is left to wait for. `Place.ask` (cli.ts) is the other end.
 */
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { Writable } = require("node:stream");
const { setImmediate, setTimeout } = require("node:timers/promises");
const vm = require("node:vm");
const threads = require("node:worker_threads");

const DIST = join(__dirname, "..", "..", "dist");
const NAMES = ["exports", "require", "module", "__filename", "__dirname", "process"];

/** Compiled once, and evaluated by every run. */
const compiled = new Map();
const { ".js": load } = Module._extensions;
Module._extensions[".js"] = (module, filename) => {
  if (dirname(filename) !== DIST) return load(module, filename);
  let evaluate = compiled.get(filename);
  if (evaluate === undefined) {
    const source = readFileSync(filename, "utf8").replace(/^#!.*/, "");
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    evaluate = vm.compileFunction(source, NAMES, { filename, importModuleDynamically });
    compiled.set(filename, evaluate);
  }
  const require = Module.createRequire(filename);
  evaluate.call(module.exports, module.exports, require, module, filename, DIST, current);
};

/** Threads that a run leaves behind: the end of its process would end them. */
const started = new Set();
threads.Worker = class extends threads.Worker {
  constructor(...args) {
    super(...args);
    started.add(this);
  }
};

// Opened when they are first named, which would look as if a run had left them open.
void [process.stdout, process.stderr];

/** What the program that runs now takes for its process. */
let current;

process.on("message", async ({ args, env, folder }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  for (const name of Object.keys(require.cache)) if (dirname(name) === DIST) delete require.cache[name];
  const before = process.getActiveResourcesInfo().length;
  const run = new Run(args);
  current = run.process;
  // Not cli.js: a program that V8 has kept compiled (src/files/compiledProgram.ts) would see the real process.
  require(join(DIST, "cliProgram.js"));
  await run.ended;
  for (let turns = 0; process.getActiveResourcesInfo().length > before; turns++) {
    await (turns < 10 ? setImmediate() : setTimeout(2));
  }
  run.leave();
  await Promise.all([...started].map(thread => thread.terminate()));
  started.clear();
  // The folder may be removed, or its disk taken away.
  process.chdir(DIST);
  process.send(run.result);
});

class Run {
  #status;
  #atExit = [];
  #listeners = [];
  #stdout = new Output(1);
  #stderr = new Output(2);

  constructor(args) {
    this.ended = new Promise(resolve => {
      this.process = Object.create(process, {
        argv: { value: [process.execPath, join(DIST, "cli.js"), ...args] },
        stdout: { value: this.#stdout },
        stderr: { value: this.#stderr },
        // Nobody listens to how far it has come.
        send: { value: undefined },
        on: { value: (name, listener) => this.#listen(name, listener) },
        once: { value: (name, listener) => this.#listen(name, listener) },
        off: { value: (name, listener) => process.off(name, listener) },
        exit: { value: status => this.#exit(status) },
        exitCode: {
          get: () => this.#status,
          set: status => {
            this.#status = status;
            resolve();
          },
        },
      });
    });
  }

  get result() {
    return { status: this.#status, stdout: this.#stdout.text, stderr: this.#stderr.text };
  }

  #listen(name, listener) {
    if (name === "exit") this.#atExit.push(listener);
    else {
      process.on(name, listener);
      this.#listeners.push([name, listener]);
    }
  }

  /** What follows is not run, so nothing of this process can be used again. */
  #exit(status) {
    this.#status = status ?? this.#status ?? 0;
    this.leave();
    process.send(this.result, () => process.exit());
    process.disconnect();
    throw new Error("the program has ended");
  }

  leave() {
    for (const listener of this.#atExit) listener();
    for (const [name, listener] of this.#listeners) process.off(name, listener);
  }
}

/** A pipe whose reader keeps everything. */
class Output extends Writable {
  #pieces = [];

  constructor(fd) {
    super();
    this.fd = fd;
  }

  get text() {
    return Buffer.concat(this.#pieces).toString();
  }

  _write(piece, _encoding, done) {
    this.#pieces.push(piece);
    done();
  }
}

process.on("disconnect", () => process.exit());
