import { LogCache } from "../cache/logCache.js";
import { ExportFolder } from "../export/exportFolder.js";
import { type ExportEvents, type ExportOptions, exportLogs } from "../export/exportLogs.js";
import { keyOfUser, readKey, Secrets } from "../export/secrets.js";
import { DEFAULT_OUT, EXPORT_FORMATS } from "../export/tableFile.js";
import { TABLE_NAMES } from "../export/tables.js";
import { writeProblemOf } from "../files/openFile.js";
import { version } from "../files/version.js";
import { messageOf } from "../protocol/channel.js";
import { FIGURES, REPLAY } from "../settings/table.js";
import { type FoundLog, findLogs } from "../tail/discover.js";
import { strings } from "../words/strings.js";
import { counted } from "../words/text.js";
import { filterOf, namedRoots, SESSION_OPTIONS } from "./askedReport.js";
import { damageOf } from "./damage.js";
import { type OptionValues, oneOf, onlyWith, readArguments, settingsIn, text, UsageError } from "./options.js";
import { Progress } from "./progress.js";
import { showing } from "./reportCommand.js";
import { printLine, type Terminal } from "./terminal.js";

const OPTIONS = {
  ...SESSION_OPTIONS,
  format: { type: "string" },
  out: { type: "string" },
  anonymous: { type: "boolean" },
  key: { type: "string" },
} as const;

export async function exportCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, OPTIONS);
  const format = oneOf(text(values, "format") ?? EXPORT_FORMATS[0], "format", EXPORT_FORMATS);
  const settings = settingsIn(REPLAY, values);
  const figures = settingsIn(FIGURES, values);
  const shows = showing(filterOf(values));
  onlyWith(values, ["key"], values["anonymous"] === true, "--anonymous");
  const out = text(values, "out") ?? DEFAULT_OUT;
  if (out === "") throw new UsageError("--out must name a folder");
  // Without it, no thread can start, which would look like a fault of every log.
  process.cwd();
  const secrets = await secretsOf(values);

  const found = findLogs(paths.length > 0 ? paths : namedRoots());
  for (const line of [...found.problems, ...found.notes]) terminal.say(line);
  // Usually a mistyped name: an empty export would replace the good one of last time.
  if (found.logs.length === 0 && found.problems.length > 0) return 1;
  const cache = values["no-cache"] === true ? undefined : LogCache.ofUser();
  const options = { format, settings, figures, shows, secrets, cacheFolder: cache?.folder, version };
  const problems = await writeExport(found.logs, out, options, terminal);
  cache?.tidy();
  return found.problems.length + problems > 0 ? 1 : 0;
}

async function secretsOf(values: OptionValues): Promise<Secrets | undefined> {
  if (values["anonymous"] !== true) return undefined;
  const file = text(values, "key");
  if (file === undefined) return new Secrets(await keyOfUser());
  try {
    return new Secrets(readKey(file));
  } catch (error) {
    throw new UsageError(`--key: ${messageOf(error)}`);
  }
}

/** Returns how many logs could not be read. */
async function writeExport(
  logs: readonly FoundLog[],
  out: string,
  options: ExportOptions,
  terminal: Terminal,
): Promise<number> {
  const reporter = new ExportReporter(terminal);
  let folder: ExportFolder | undefined;
  let ignoreSignals = () => {};
  try {
    folder = new ExportFolder(out);
    ignoreSignals = discardOnSignal(folder);
    const counts = await exportLogs(logs, folder, options, reporter);
    reporter.finish();
    const parts = TABLE_NAMES.map(table => counted(strings.counts[table], counts[table]));
    printLine(terminal, `${out}: ${parts.join(", ")}`);
    return reporter.problems;
  } catch (error) {
    reporter.finish();
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`${writeProblemOf(error)}: ${out}`);
  } finally {
    folder?.discard();
    ignoreSignals();
  }
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Leaves nothing unfinished behind if the program is interrupted. */
function discardOnSignal(folder: ExportFolder): () => void {
  const handlers = Object.entries(SIGNALS).map(([signal, status]) => {
    const handler = () => {
      folder.discard();
      process.exit(status);
    };
    // Not `once`: another signal in the meantime (Ctrl-C reaches npm too, which passes it on) would end the program at once.
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

const STAGES = {
  read: { doing: "reading", items: "logs" },
  gather: { doing: "gathering", items: "sessions" },
  write: { doing: "writing", items: "files" },
} as const;

/** Shows the progress of an export, and collects the messages for its end. */
class ExportReporter implements ExportEvents {
  readonly #warnings: string[] = [];
  readonly #terminal: Terminal;
  #progress: Progress | undefined;
  problems = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begins(stage: keyof typeof STAGES, { items, bytes }: { readonly items: number; readonly bytes: number }): void {
    this.end();
    const tell = stage === "read" ? this.#terminal.progress : undefined;
    this.#progress = new Progress({ files: items, bytes }, tell, STAGES[stage]);
  }

  advance(bytes: number): void {
    this.#progress?.advance(bytes);
  }

  itemDone(): void {
    this.#progress?.fileDone();
  }

  read(log: Parameters<ExportEvents["read"]>[0]): void {
    this.#warnings.push(...damageOf(log.path, log.lines, log).values());
  }

  problem(line: string): void {
    this.problems++;
    this.#warnings.push(line);
  }

  end(): void {
    this.#progress?.end();
  }

  /** Reports each warning once, whether or not the export succeeds. */
  finish(): void {
    this.end();
    for (const line of this.#warnings.splice(0)) this.#terminal.say(line);
  }
}
