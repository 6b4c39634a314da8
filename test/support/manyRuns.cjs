/**
 * Runs the built program many times in one process, because starting Node takes far longer than most runs. Each run gets a
 * fresh copy of the program's modules, its own arguments, environment, current folder and output, and ends where a
 * process of its own would: when nothing is left to wait for. `Place.ask` (cli.ts) is the other end.
 */
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const { Writable } = require("node:stream");
const { setImmediate, setTimeout } = require("node:timers/promises");
const threads = require("node:worker_threads");

/** The process itself: `process` is what the program that runs takes for it. */
const host = process;
const DIST = join(__dirname, "..", "..", "dist");
const PROGRAM = join(DIST, "cli.js");

/** Threads that a run leaves behind: the end of its process would end them. */
const started = new Set();
threads.Worker = class extends threads.Worker {
  constructor(...args) {
    super(...args);
    started.add(this);
  }
};

/** What a run writes to its standard output without asking its process for it. */
const { writeSync } = fs;
fs.writeSync = (file, bytes, at = 0, ...rest) => {
  if (file !== 1 || process === host) return writeSync(file, bytes, at, ...rest);
  process.stdout.write(bytes.subarray(at));
  return bytes.length - at;
};

// Opened when they are first named, which would look as if a run had left them open.
void [host.stdout, host.stderr];

host.on("message", async ({ args, env, folder }) => {
  for (const name of Object.keys(host.env)) delete host.env[name];
  Object.assign(host.env, env);
  host.chdir(folder);
  for (const name of Object.keys(require.cache)) if (dirname(name) === DIST) delete require.cache[name];
  const before = host.getActiveResourcesInfo().length;
  const run = new Run(args);
  globalThis.process = run.process;
  require(PROGRAM);
  await run.ended;
  for (let turns = 0; host.getActiveResourcesInfo().length > before; turns++) {
    await (turns < 10 ? setImmediate() : setTimeout(2));
  }
  run.leave();
  await Promise.all([...started].map(thread => thread.terminate()));
  started.clear();
  globalThis.process = host;
  // The folder may be removed, or its disk taken away.
  host.chdir(DIST);
  host.send(run.result);
});

class Run {
  #status;
  #atExit = [];
  #listeners = [];
  #stdout = new Output(1);
  #stderr = new Output(2);

  constructor(args) {
    this.ended = new Promise(resolve => {
      this.process = Object.create(host, {
        argv: { value: [host.execPath, PROGRAM, ...args] },
        stdout: { value: this.#stdout },
        stderr: { value: this.#stderr },
        // Nobody listens to how far it has come.
        send: { value: undefined },
        on: { value: (name, listener) => this.#listen(name, listener) },
        once: { value: (name, listener) => this.#listen(name, listener) },
        off: { value: (name, listener) => host.off(name, listener) },
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
      host.on(name, listener);
      this.#listeners.push([name, listener]);
    }
  }

  /** What follows is not run, so nothing of this process can be used again. */
  #exit(status) {
    this.#status = status ?? this.#status ?? 0;
    this.leave();
    host.send(this.result, () => host.exit());
    host.disconnect();
    throw new Error("the program has ended");
  }

  leave() {
    for (const listener of this.#atExit) listener();
    for (const [name, listener] of this.#listeners) host.off(name, listener);
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

host.on("disconnect", () => host.exit());
