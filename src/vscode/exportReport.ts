/** The report of all logs as a file: the command line's own, in a process of its own, so that both say the same. */
import { fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { open, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type CancellationToken,
  commands,
  type LogOutputChannel,
  ProgressLocation,
  Uri,
  window,
  workspace,
} from "vscode";
import type { DedupSettings } from "../dedup/settings.js";
import type { Looks } from "../engine/engineMessages.js";
import { targetOf, writeWhole } from "../files/wholeFile.js";
import { fill } from "../words/text.js";
import { texts } from "./strings.js";

const REPORT_FILE = "dedup-report.json";

export interface ReportJob {
  /** The built command line. */
  readonly program: string;
  /** A folder for files in between. */
  readonly scratch: string;
  readonly roots: readonly string[];
  readonly settings: DedupSettings;
  readonly looks: Looks;
}

export async function exportReport(job: ReportJob, log: LogOutputChannel): Promise<void> {
  const file = await window.showSaveDialog({
    title: texts.report.saveAs,
    defaultUri: Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir()), REPORT_FILE),
    filters: { [texts.report.json]: ["json"] },
  });
  if (file === undefined) return;
  const progress = { location: ProgressLocation.Notification, title: texts.report.running, cancellable: true };
  const written = await window.withProgress(progress, (_report, token) => writeReport(job, file, log, token));
  if (!written) return;
  const { done, open } = texts.report;
  const answer = await window.showInformationMessage(fill(done, { file: workspace.asRelativePath(file) }), open);
  if (answer === open) await commands.executeCommand("vscode.open", file);
}

/** False where it was cancelled. Written elsewhere first: the chosen file is whole or untouched. */
export async function writeReport(
  job: ReportJob,
  file: Uri,
  log: LogOutputChannel,
  token: CancellationToken,
): Promise<boolean> {
  await workspace.fs.createDirectory(Uri.file(job.scratch));
  const scratch = join(job.scratch, `report-${process.pid}-${Date.now()}`);
  const [output, rules, prices] = [`${scratch}.json`, `${scratch}-invalidates.json`, `${scratch}-prices.json`];
  try {
    await writeFile(rules, JSON.stringify(job.settings.invalidates));
    // The report names the settings that the prices are from, not this file.
    await writeFile(prices, JSON.stringify({ source: texts.priceSource, models: job.looks.prices?.models ?? {} }));
    await runProgram(job.program, argumentsFor(job, rules, prices), output, log, token);
    if (token.isCancellationRequested) return false;
    await copyWhole(output, file);
    return true;
  } finally {
    await Promise.all([output, rules, prices].map(path => rm(path, { force: true })));
  }
}

/** Into the same folder first: should the disk fill up, the chosen file is as it was. */
async function copyWhole(output: string, file: Uri): Promise<void> {
  if (file.scheme === "file") {
    const target = targetOf(file.fsPath);
    const mode = (await stat(target).catch(() => undefined))?.mode;
    return writeWhole(target, createReadStream(output), { mode: (mode ?? 0o600) & 0o777 });
  }
  const unfinished = file.with({ path: `${file.path}.${process.pid}.tmp` });
  try {
    await workspace.fs.copy(Uri.file(output), unfinished);
    await workspace.fs.rename(unfinished, file, { overwrite: true });
  } catch (error) {
    await workspace.fs.delete(unfinished).then(undefined, () => {});
    throw error;
  }
}

function argumentsFor({ settings, looks, roots }: ReportJob, rules: string, prices: string): string[] {
  const { capacity, minBytes, verbosity, nearRef } = settings;
  const engine = [`--capacity=${capacity}`, `--min-bytes=${minBytes}`, `--verbosity=${verbosity}`];
  const named = [`--invalidates=${rules}`, ...(looks.prices === undefined ? [] : [`--prices=${prices}`])];
  const ratio = looks.charsPerToken === undefined ? [] : [`--chars-per-token=${looks.charsPerToken}`];
  const strategies = ["--strategies", `--span-min-bytes=${looks.strategies.spanMinBytes}`];
  const near = nearRef ? ["--near-ref"] : [];
  return ["report", "--json", ...strategies, ...engine, ...named, ...ratio, ...near, "--", ...roots];
}

async function runProgram(
  program: string,
  args: string[],
  output: string,
  log: LogOutputChannel,
  token: CancellationToken,
): Promise<void> {
  const target = await open(output, "w", 0o600);
  try {
    // In VS Code the program that runs this is Electron: it has to be told to be Node.
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
    const child = fork(program, args, { env, execArgv: [], stdio: ["ignore", target.fd, "pipe", "ipc"] });
    const cancelling = token.onCancellationRequested(() => child.kill());
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    cancelling.dispose();
    for (const line of said.split("\n").filter(Boolean)) log.warn(line);
    // With code 1 some logs could not be read, and the report is about the others; or there is none.
    const isWritten = (code === 0 || code === 1) && (await target.stat()).size > 0;
    if (!isWritten && !token.isCancellationRequested) {
      throw new Error(said.trim().split("\n").at(-1) || fill(texts.report.exitCode, { code: String(code) }));
    }
  } finally {
    await target.close();
  }
}
