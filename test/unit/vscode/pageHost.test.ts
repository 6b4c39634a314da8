/** Where a page's messages go: to the engine or to the extension, once; and what happens to unknown ones. */
import { beforeEach, expect, it, vi } from "vitest";
import type { LogOutputChannel, Memento, Webview } from "vscode";
import type { PageToEngine } from "../../../src/engine/engineClient.js";
import type { ToPage } from "../../../src/protocol/messages.js";
import type { Ask, HostRequests } from "../../../src/protocol/requests.js";
import type { EngineHost } from "../../../src/vscode/engineHost.js";
import { Uri } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { PageHost } = await import("../../../src/vscode/pageHost.js");
const { SelectedCall } = await import("../../../src/vscode/selectedCall.js");

const MAIN = { session: "s", context: "main" };

let toEngine: PageToEngine[];
let fromEngine: (message: ToPage) => void;
let posted: ToPage[];
let performed: Ask<HostRequests>[];
let selection: InstanceType<typeof SelectedCall>;
let warnings: string[];

function opened() {
  let receive: (raw: unknown) => void = () => {};
  const webview = {
    cspSource: "",
    asWebviewUri: (uri: unknown) => uri,
    postMessage: async (message: ToPage) => posted.push(message),
    onDidReceiveMessage: (listener: typeof receive) => {
      receive = listener;
      return { dispose: () => {} };
    },
  };
  const engine = {
    connect: (take: typeof fromEngine) => {
      fromEngine = take;
      return { send: (message: PageToEngine) => toEngine.push(message), close: () => {} };
    },
  };
  const services = {
    engine: engine as unknown as EngineHost,
    log: { warn: (line: string) => warnings.push(line) } as unknown as LogOutputChannel,
    dist: new Uri({ scheme: "file", path: "/dist" }) as never,
    memory: { get: () => undefined, update: async () => {} } as unknown as Memento,
    followsLive: () => true,
    perform: async (_page: unknown, ask: Ask<HostRequests>) => {
      performed.push(ask);
      if (ask.method === "openSettings") throw new Error("no settings here");
    },
    selection,
  };
  const page = new PageHost({ kind: "view", webview: webview as unknown as Webview, show: () => {} }, services);
  const send = async (raw: unknown) => {
    receive(raw);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { page, send };
}

beforeEach(() => {
  [toEngine, posted, performed, warnings] = [[], [], [], []];
  selection = new SelectedCall();
});

it("passes the engine's requests to the engine, and handles the others itself", async () => {
  const { send } = opened();
  await send({ type: "request", id: 1, ask: { method: "details", row: 3 } });
  await send({ type: "request", id: 2, ask: { method: "setAxis", axis: "time" } });
  await send({ type: "request", id: 3, ask: { method: "openSettings" } });
  expect(toEngine).toEqual([{ type: "request", id: 1, ask: { method: "details", row: 3 } }]);
  expect(performed).toEqual([{ method: "setAxis", axis: "time" }, { method: "openSettings" }]);
  expect(posted).toEqual([
    { type: "reply", id: 2, result: null },
    { type: "failure", id: 3, message: "no settings here" },
  ]);
});

it("selects the call that a page opens, in the context that it shows", async () => {
  const { send } = opened();
  fromEngine({ type: "delta", seq: 1, delta: { selected: MAIN } });
  await send({ type: "request", id: 1, ask: { method: "openCall", row: 7 } });
  expect(selection.call).toEqual({ ...MAIN, row: 7 });
  // Requesting the lines of another call does not select it.
  await send({ type: "request", id: 2, ask: { method: "lines", row: 9, input: null, from: 1, to: 2 } });
  expect(selection.call).toEqual({ ...MAIN, row: 7 });
  await send({ type: "selected", row: 8 });
  expect(selection.call).toEqual({ ...MAIN, row: 8 });
});

const ELSEWHERE = { session: "other", context: "main", row: 5 };

it("what a page still shows as selected does not replace a call that was selected elsewhere since", async () => {
  const { send } = opened();
  fromEngine({ type: "delta", seq: 1, delta: { selected: MAIN } });
  await send({ type: "selected", row: 3, restored: true });
  // Nothing else was selected: after a reload, commands apply to it.
  expect(selection.call).toEqual({ ...MAIN, row: 3 });
  // The same call, in a log that was rewritten.
  await send({ type: "selected", row: 2, restored: true });
  expect(selection.call).toEqual({ ...MAIN, row: 2 });
  for (const since of [ELSEWHERE, { ...MAIN, row: 7 }]) {
    selection.set(since);
    await send({ type: "selected", row: 4, restored: true });
    expect(selection.call).toEqual(since);
  }
});

it("clearing the selection in a page clears it for commands, unless another call was selected elsewhere", async () => {
  const { send } = opened();
  fromEngine({ type: "delta", seq: 1, delta: { selected: MAIN } });
  await send({ type: "selected", row: 3 });
  await send({ type: "selected", row: null });
  expect(selection.call).toBeUndefined();
  selection.set(ELSEWHERE);
  await send({ type: "selected", row: null });
  expect(selection.call).toEqual(ELSEWHERE);
});

it("a page that goes on to another session takes its selected call with it, unless another was selected since", async () => {
  const { send } = opened();
  const goTo = (session: string, seq: number) =>
    fromEngine({ type: "delta", seq, delta: { selected: { session, context: "main" } } });
  goTo("s", 1);
  await send({ type: "selected", row: 3 });
  goTo("t", 2);
  expect(selection.call).toBeUndefined();
  await send({ type: "selected", row: 1 });
  // A transcript was opened there.
  selection.set({ session: "t", context: "main", row: 1 });
  goTo("s", 3);
  expect(selection.call).toMatchObject({ session: "t", row: 1 });
});

it("answers an unknown request, and logs everything unknown", async () => {
  const { send } = opened();
  await send({ type: "request", id: 5, ask: { method: "formatDisk" } });
  await send({ type: "nonsense" });
  expect(posted).toEqual([{ type: "failure", id: 5, message: "unknown or invalid request" }]);
  expect(warnings).toHaveLength(2);
  expect([...toEngine, ...performed]).toEqual([]);
});

it("shows what was requested once it has loaded, and says whether it follows", async () => {
  const { page, send } = opened();
  page.select("s", "agent", true);
  expect(toEngine).toEqual([]);
  await send({ type: "ready" });
  expect(toEngine[0]).toEqual({ type: "select", session: "s", context: "agent", following: true });
  fromEngine({ type: "delta", seq: 1, delta: { selected: { session: "s", context: "agent" }, following: false } });
  expect(page.following).toBe(false);
  page.select("t");
  expect(toEngine.at(-1)).toEqual({ type: "select", session: "t" });
});

it("posts nothing to a page that is closed", async () => {
  const { page, send } = opened();
  const sending = send({ type: "request", id: 2, ask: { method: "setAxis", axis: "time" } });
  page.dispose();
  await sending;
  expect(performed).toHaveLength(1);
  expect(posted).toEqual([]);
});
