/** A transcript that cannot be read says so, and can be retried; it never gets stuck. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import type { CancellationToken, LogOutputChannel } from "vscode";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { Comparisons } from "../../../src/engine/compare/comparisons.js";
import type { SessionChange } from "../../../src/engine/engineMessages.js";
import { RequestScope, requestHandlers } from "../../../src/engine/requestHandlers.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { handle } from "../../../src/protocol/channel.js";
import type { Ask, ContextRef, ContextRequests } from "../../../src/protocol/requests.js";
import type { EngineHost } from "../../../src/vscode/engineHost.js";
import type { TranscriptName } from "../../../src/vscode/transcript/uri.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";
import { documentEvents, Uri, workspace } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { TranscriptDocuments } = await import("../../../src/vscode/transcript/documents.js");
const { uriOf } = await import("../../../src/vscode/transcript/uri.js");

const folders = new Folders();
afterAll(() => folders.remove());

let view: SessionView;
let name: TranscriptName;
/** Why a request fails, by its method. */
let failures: Partial<Record<keyof ContextRequests, string>>;
let tell: (change: SessionChange) => void;

beforeEach(() => {
  const session = join(folders.make(), "s.jsonl");
  const pair = (id: string) => [call(id, "Bash", { command: `echo ${id}` }), result(id, textOf(300, id))];
  writeFileSync(session, logText(...pair("one"), ...pair("two")));
  view = new SessionView(session, [session], DEFAULT_SETTINGS, undefined);
  name = { kind: "transcript", session, context: "main", from: 0 };
  failures = {};
});

function opened() {
  const handlers = requestHandlers(
    { sessions: () => [], ratios: () => ({ everywhere: new Map() }) },
    { want: async () => {} },
    {} as unknown as Comparisons,
  );
  const engine = {
    askAbout: async (context: ContextRef, ask: Ask<ContextRequests>) => {
      const why = failures[ask.method];
      if (why !== undefined) throw new Error(why);
      return handle(handlers, ask, new RequestScope({ open: () => view }, context, Number.POSITIVE_INFINITY));
    },
    watch: (_session: string, changed: typeof tell) => {
      tell = changed;
      return { dispose: () => {} };
    },
  } as unknown as EngineHost;
  const documents = new TranscriptDocuments(engine, { warn: () => {} } as unknown as LogOutputChannel);
  const uri = uriOf(name, "s");
  const text = () => documents.text(uri, name, { isCancellationRequested: false } as CancellationToken);
  const transcript = async (lineCount: number) => documents.of({ uri, lineCount } as never);
  return { documents, uri, text, transcript };
}

it("says why each call's texts could not be read, with a way to retry", async () => {
  const { text, transcript } = opened();
  failures.transcript = "the engine failed";
  const broken = await text();
  expect(broken.match(/\n┄┄ not read: the engine failed\. Try again\n/g)).toHaveLength(2);
  expect(broken).not.toContain("┄┄ result");
  const lines = broken.split("\n");
  const { retries = [], links } = (await transcript(lines.length)) ?? {};
  expect(links).toEqual([]);
  expect(retries.map(({ line, start, end }) => lines[line]?.slice(start, end))).toEqual(["Try again", "Try again"]);
  failures = {};
  const whole = await text();
  expect(whole).toContain(`┄┄ result\n${textOf(300, "two")}`);
  expect(whole).not.toContain("Try again");
});

it("is a page that says why if nothing could be read", async () => {
  const { text, transcript } = opened();
  failures.stretch = "no\nsuch session";
  const broken = (await text()).split("\n");
  expect(broken).toEqual(["Dedup transcript · s · could not be read", "no such session", "Try again"]);
  expect((await transcript(3))?.retries).toEqual([{ line: 2, start: 0, end: 9 }]);
  failures = {};
  expect(await text()).toContain("── call 2 ·");
});

it("shows nothing of a session that is gone", async () => {
  const { documents, text } = opened();
  expect(await text()).toContain(textOf(300, "one"));
  const changed = new Promise(resolve => documents.onDidChange(resolve));
  failures = { stretch: "not among the logs", transcript: "not among the logs" };
  tell("gone");
  await changed;
  expect(await text()).not.toContain(textOf(300, "one"));
});

it("is asked for again if it was open before, or was closed and opened in another language", async () => {
  const { documents, uri, text } = opened();
  const asked: string[] = [];
  documents.onDidChange(changed => asked.push(String(changed)));
  const others = [new Uri({ scheme: "file", path: "/a.ts" }), uriOf({ ...name, kind: "line", row: 0 }, "line")];
  workspace.textDocuments = [uri, ...others].map(one => ({ uri: one }));
  documents.adoptOpen();
  expect(asked).toEqual([String(uri)]);
  await text();
  documentEvents.opened.fire({ uri });
  expect(asked).toHaveLength(1);
  documentEvents.closed.fire({ uri });
  documentEvents.opened.fire({ uri });
  expect(asked).toHaveLength(2);
  workspace.textDocuments = [];
});

it("has a name that no editor takes for that of a source file", async () => {
  const { documents } = opened();
  const path = async (title: string, contextName = "main") => {
    view.stretch = () => ({ title, contextName, from: 0, rows: [] }) as never;
    return (await documents.uriFor({ ...name, session: title, row: 0 })).path;
  };
  expect(await path("Fix README.md")).toBe("/“Fix README.md”");
  expect(await path("package.json")).toBe("/“package.json”");
  expect(await path("Review", "read src/app.ts")).toBe("/“Review · read src app.ts”");
  expect(await path(`${"long ".repeat(20)}a.ts`)).toMatch(/^.“long .*…”$/);
});
