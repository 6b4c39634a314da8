/** Which files make up a session: how Claude Code stores subagents' logs, in all three generations of the layout. */

export interface LogFile {
  /** The path as given by the user or as found by the search. */
  readonly path: string;
  /** The sessionId on the file's lines. */
  readonly sessionId: string | undefined;
}

/** One main file with the subagents' files that belong to it. */
export interface SessionFiles<F extends LogFile> {
  readonly main: F;
  readonly agents: readonly F[];
}

const AGENT_FILE = /(?:^|[\\/])agent-([^\\/]+)\.jsonl$/;
const OF_MACOS = /(?:^|[\\/])\._[^\\/]*$/;
const IN_SUBAGENTS = /^(.*)[\\/]subagents(?:[\\/].*)?[\\/][^\\/]+$/;

/** The subagent whose own file this is, from the file's name. */
export function agentOfFile(path: string): string | undefined {
  return AGENT_FILE.exec(path)?.[1];
}

/** The file next to a subagent's log that has the kind of agent and its task. */
export function agentMetaFile(log: string): string {
  return log.replace(/\.jsonl$/, ".meta.json");
}

/**
 * Workflow runs keep a journal of their agents next to the transcripts. On disks of other systems and in archives, macOS
 * puts what it knows about a file next to it.
 */
export function isTranscript(path: string): boolean {
  if (!path.endsWith(".jsonl") || OF_MACOS.test(path)) return false;
  return !(IN_SUBAGENTS.test(path) && /[\\/]journal\.jsonl$/.test(path));
}

/** The path that the session's main file would have. */
function mainFileOf(file: LogFile): string | undefined {
  const session = IN_SUBAGENTS.exec(file.path)?.[1];
  if (session !== undefined) return `${session}.jsonl`;
  if (file.sessionId === undefined) return undefined;
  return `${file.path.replace(/[^\\/]+$/, "")}${file.sessionId}.jsonl`;
}

/** Whether the file is the session's log or one of its subagents' below it. */
export function isOfSession(main: string, path: string): boolean {
  return path === main || mainFileOf({ path, sessionId: undefined }) === main;
}

/** Groups files into sessions, ordered by path; a subagent's file without its main file is a session of its own. */
export function groupSessions<F extends LogFile>(files: readonly F[]): SessionFiles<F>[] {
  const ordered = [...files].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  const sessions = new Map<string, { main: F; agents: F[] }>();
  const agents: F[] = [];
  for (const file of ordered) {
    if (agentOfFile(file.path) === undefined) sessions.set(file.path, { main: file, agents: [] });
    else agents.push(file);
  }
  for (const agent of agents) {
    const session = sessions.get(mainFileOf(agent) ?? "");
    if (session === undefined) sessions.set(agent.path, { main: agent, agents: [] });
    else session.agents.push(agent);
  }
  return [...sessions.values()].sort((left, right) => (left.main.path < right.main.path ? -1 : 1));
}
