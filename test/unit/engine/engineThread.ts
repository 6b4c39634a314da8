/** The engine on its real thread, for tests of what it reports. */
import { copyFileSync, cpSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { EngineClient, EngineEvents } from "../../../src/engine/engineClient.js";
import type { EngineConfig, LiveStatus } from "../../../src/engine/engineMessages.js";
import type { PackedState, SessionItem, ToPage } from "../../../src/protocol/messages.js";
import { mergeSessions } from "../../../src/protocol/sessions.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { buildEngine, clientIn } from "../../support/engineCode.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";
import { until } from "../../support/until.js";

export { until };

export const folders = new Folders();
const code = folders.make();
const clients: EngineClient[] = [];

beforeAll(() => buildEngine(code));
afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
});
afterAll(() => folders.remove());

export const pair = (id: string, text = textOf(300)) => [call(id, "Bash", { command: `echo ${id}` }), result(id, text)];

/** A client whose engine is this program; without one it cannot start. */
export function withEngine(program: string | undefined, events: Partial<EngineEvents>): EngineClient {
  const folder = folders.make();
  copyFileSync(join(code, "engineClient.js"), join(folder, "engineClient.js"));
  if (program !== undefined) writeFileSync(join(folder, "engineWorker.js"), program);
  return stopped(clientIn(folder, { page: () => {}, live: () => {}, notice: () => {}, ...events }));
}

/** A folder with the engine, in which the threads that read logs run this program first. */
export function withSlowReaders(program: string): string {
  const folder = folders.make();
  cpSync(code, folder, { recursive: true });
  renameSync(join(folder, "replayWorker.js"), join(folder, "reader.js"));
  writeFileSync(join(folder, "replayWorker.js"), `${program}\nrequire("./reader.js");\n`);
  return folder;
}

/** Ends with the test. */
function stopped(client: EngineClient): EngineClient {
  clients.push(client);
  return client;
}

/** An engine on two sessions, the second one live. `program`: the folder that it is in; `translations`: of its texts. */
export function started(useCache = false, program = code, translations?: Readonly<Record<string, string>>) {
  const folder = join(folders.make(), "project");
  mkdirSync(folder);
  const [old, live] = ["old.jsonl", "live.jsonl"].map(name => join(folder, name)) as [string, string];
  writeFileSync(old, logText(...pair("1"), ...pair("2")));
  utimesSync(old, 1e9, 1e9);
  writeFileSync(live, logText(...pair("a"), ...pair("b", textOf(300, "b"))));
  const messages: ToPage[] = [];
  const notices: string[] = [];
  const lives: LiveStatus[] = [];
  const events: EngineEvents = {
    page: (_, message) => messages.push(message),
    live: status => lives.push(status),
    notice: line => notices.push(line),
  };
  const client = stopped(clientIn(program, events, translations));
  const settings = { ...DEFAULT_SETTINGS, capacity: 3 };
  const config: EngineConfig = {
    place: "browser",
    roots: [folder],
    workspace: [],
    settings,
    figures: DEFAULT_FIGURES,
    axis: "time",
    useCache,
  };
  client.configure(config);
  const newest = (): PackedState | undefined => {
    const found = messages.findLast(message => message.type === "snapshot");
    return found?.type === "snapshot" ? found.state : undefined;
  };
  /** Nobody sends this: it represents whatever may go wrong. */
  const crash = async () => {
    messages.length = 0;
    client.configure({ ...config, roots: null as never });
    client.configure(config);
    await until(() => notices.some(line => line.startsWith("the engine failed")));
  };
  return { client, config, messages, lives, newest, crash, folder, old, live };
}

/** The list of sessions as a page has it after these messages. */
export function listOf(messages: readonly ToPage[]): readonly SessionItem[] {
  let list: readonly SessionItem[] = [];
  for (const message of messages) {
    if (message.type === "snapshot") list = message.state.sessions;
    else if (message.type === "delta" && message.delta.sessions) list = mergeSessions(list, message.delta.sessions);
  }
  return list;
}

export function listed(messages: readonly ToPage[], session: string): SessionItem | undefined {
  return listOf(messages).find(({ key }) => key === session);
}
