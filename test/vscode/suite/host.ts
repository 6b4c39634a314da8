/** The extension under test and what the suites share: its probe, its logs, and waiting for things. */
import { copyFileSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { extensions, type TextDocument, type Uri, window } from "vscode";
import type { Probe } from "../../../src/vscode/probe.js";
import { SessionLog } from "../support/sessionLog.mjs";

export const EXTENSION = "dedup-inspector.dedup-inspector";

export async function activated(): Promise<Probe> {
  const extension = extensions.getExtension<Probe>(EXTENSION);
  if (extension === undefined) throw new Error("the extension is not installed");
  return extension.activate();
}

export function extensionPath(...names: string[]): string {
  return join(extensions.getExtension(EXTENSION)?.extensionPath ?? "", ...names);
}

/** Where Claude Code would write: `run.mjs` has created the folder in a temporary home. */
export function projects(): string {
  const config = process.env["CLAUDE_CONFIG_DIR"];
  if (config === undefined || !config.includes("dedup-")) throw new Error("no temporary CLAUDE_CONFIG_DIR");
  return join(config, "projects");
}

/** The sample as a session of this user, from long ago. */
export function sampleSession(): string {
  const folder = join(projects(), "-home-ana-ladle");
  const file = join(folder, "0a23409a-8eea-4b7a-af35-1e1738ea1208.jsonl");
  mkdirSync(folder, { recursive: true });
  copyFileSync(extensionPath("media", "sample.jsonl"), file);
  const written = new Date("2026-07-25T12:00:00Z");
  utimesSync(file, written, written);
  return file;
}

let sessions = 0;

/** A session that is written now. */
export function liveSession(title: string): SessionLog {
  const id = `aaaaaaaa-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;
  return new SessionLog(join(projects(), "-home-ana-project", `${id}.jsonl`), { title });
}

/** Waits until something is true, and returns it. */
export async function eventually<T>(what: string, look: () => T | undefined | false, limitMs = 120_000): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}

/** Waits until the engine has found a session: only known sessions can be requested. */
export async function listed(session: string): Promise<string> {
  const probe = await activated();
  for (const deadline = Date.now() + 30_000; !(await probe.sessions()).includes(session); ) {
    if (Date.now() > deadline) throw new Error(`not in time: ${session} in the list`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  return session;
}

export function shownDocument(where: (uri: Uri) => boolean): TextDocument | undefined {
  return window.visibleTextEditors.find(({ document }) => where(document.uri))?.document;
}
