/** Exports the report of all logs. The CLI creates it, in a separate process, so that both give the same figures. */
import { fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { open, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type CancellationToken,
  commands,
  env,
  type LogOutputChannel,
  type Progress,
  ProgressLocation,
  Uri,
  window,
  workspace,
} from "vscode";
import type { DedupSettings } from "../dedup/settings.js";
import { targetOf, writeWhole } from "../files/wholeFile.js";
import {
  extensionsOf,
  formatOfFile,
  REPORT_FORMATS,
  reportFile,
  type ToldProgress,
  toldProgress,
} from "../protocol/reportFormats.js";
import { toArguments } from "../settings/kinds.js";
import { FIGURES, type FigureSettings, REPLAY } from "../settings/table.js";
import { bytesText, fill } from "../words/text.js";
import { texts } from "./vscodeStrings.js";

export interface ReportJob {
  /** The built CLI. */
  readonly program: string;
  /** A folder for temporary files. */
  readonly scratch: string;
  readonly roots: readonly string[];
  readonly settings: DedupSettings;
  readonly figures: FigureSettings;
}

export async function exportReport(job: ReportJob, log: LogOutputChannel): Promise<void> {
  const file = await window.showSaveDialog({
    title: texts.report.saveAs,
    // Not in the workspace: it is about all projects, and files there are easily committed.
    defaultUri: Uri.joinPath(Uri.file(homedir()), reportFile("html")),
    filters: Object.fromEntries(
      REPORT_FORMATS.map(format => [texts.report.formats[format], [...extensionsOf(format)]]),
    ),
  });
  if (file === undefined) return;
  const options = { location: ProgressLocation.Notification, title: texts.report.running, cancellable: true };
  const written = await window.withProgress(options, (progress, token) =>
    writeReport(job, file, log, { token, told: progressTo(progress) }),
  );
  if (!written) return;
  const { done, open } = texts.report;
  const answer = await window.showInformationMessage(fill(done, { file: workspace.asRelativePath(file) }), open);
  if (answer === open) await openReport(file);
}

/** HTML is for a browser: VS Code would show its source. A browser cannot open a file of a remote machine. */
async function openReport(file: Uri): Promise<void> {
  const isForBrowser = formatOfFile(file.path) === "html" && file.scheme === "file" && env.remoteName === undefined;
  if (!(isForBrowser && (await env.openExternal(file)))) await commands.executeCommand("vscode.open", file);
}

/** Shows the program's progress. VS Code expects increments, not totals. */
function progressTo(shown: Progress<{ message?: string; increment?: number }>): (told: ToldProgress) => void {
  let known = 0;
  return ({ bytesDone, bytes }) => {
    const share = bytes === 0 ? 0 : Math.min(100, (100 * bytesDone) / bytes);
    // Timelines are read last, starting from 0 again.
    shown.report({ increment: Math.max(0, share - known), message: `${bytesText(bytesDone)} / ${bytesText(bytes)}` });
    known = Math.max(known, share);
  };
}

/** How the user waits for a report. */
export interface Waiting {
  readonly token: CancellationToken;
  told?(progress: ToldProgress): void;
}

/** Returns false if cancelled. Written elsewhere first, so that the chosen file is complete or untouched. */
export async function writeReport(
  job: ReportJob,
  file: Uri,
  log: LogOutputChannel,
  waiting: Waiting,
): Promise<boolean> {
  await workspace.fs.createDirectory(Uri.file(job.scratch));
  const scratch = join(job.scratch, `report-${process.pid}-${Date.now()}`);
  const output = `${scratch}.out`;
  const files = new Map<string, string>();
  const writeJson = (text: string, flag: string) => {
    const path = `${scratch}-${flag}.json`;
    files.set(path, text);
    return path;
  };
  const settings = [...toArguments(REPLAY, job.settings, writeJson), ...toArguments(FIGURES, job.figures, writeJson)];
  try {
    for (const [path, text] of files) await writeFile(path, text);
    const format = formatOfFile(file.path);
    const args = ["report", `--${format}`, "--strategies", ...settings, "--", ...job.roots];
    await runProgram(job.program, args, output, log, waiting);
    if (waiting.token.isCancellationRequested) return false;
    await copyWhole(output, file);
    return true;
  } finally {
    await Promise.all([output, ...files.keys()].map(path => rm(path, { force: true })));
  }
}

/** Copies to the same folder first, so that a full disk leaves the chosen file as it was. */
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

async function runProgram(
  program: string,
  args: string[],
  output: string,
  log: LogOutputChannel,
  { token, told }: Waiting,
): Promise<void> {
  const target = await open(output, "w", 0o600);
  try {
    // VS Code runs this in Electron, which must be told to act as Node.
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
    const child = fork(program, args, { env, execArgv: [], stdio: ["ignore", target.fd, "pipe", "ipc"] });
    const cancelling = token.onCancellationRequested(() => child.kill());
    child.on("message", message => {
      const progress = toldProgress(message);
      if (progress !== undefined) told?.(progress);
    });
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    cancelling.dispose();
    for (const line of errors.split("\n").filter(Boolean)) log.warn(line);
    // Exit code 1 means that some logs could not be read: there may be a report about the others, or none.
    const isWritten = (code === 0 || code === 1) && (await target.stat()).size > 0;
    if (!isWritten && !token.isCancellationRequested) {
      throw new Error(errors.trim().split("\n").at(-1) || fill(texts.report.exitCode, { code: String(code) }));
    }
  } finally {
    await target.close();
  }
}
