/** Which session a page shows by default: the window's own folder first. And how subagents are named. */
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, logText, result, textOf } from "../../support/log.js";
import { folders, listed, pair, started, until, withSlowReaders } from "./engineThread.js";

const HERE = "/work/here";

/** An engine on the sessions of several folders, in a window that has one of them open. */
function inWindow(program?: string) {
  const opened = started(false, program);
  const write = (name: string, cwd: string, minutesAgo: number): string => {
    const path = join(opened.folder, `${name}.jsonl`);
    writeFileSync(path, logText({ type: "user", message: { content: name }, cwd }, ...pair(name)));
    const at = Date.now() / 1000 - 60 * minutesAgo;
    utimesSync(path, at, at);
    return path;
  };
  return { ...opened, write, open: () => opened.client.configure({ ...opened.config, workspace: [HERE] }) };
}

describe("a page that follows", () => {
  it("shows the newest session of the window's folder, even if another folder's is being written", async () => {
    const { client, write, open, messages, newest, live } = inWindow();
    const own = write("own", HERE, 600);
    const below = write("below", `${HERE}/packages/a`, 500);
    const neighbour = write("neighbour", `${HERE}-too`, 400);
    open();
    client.fromPage(1, { type: "ready" });
    await until(() => [own, below, neighbour].every(path => (listed(messages, path)?.results ?? 0) > 0));
    expect([own, below, neighbour, live].map(path => listed(messages, path)?.here)).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
    await until(() => newest()?.selected?.session === below);
    expect(newest()?.following).toBe(true);
    // The other folder's session continues, and this window stays.
    appendFileSync(live, logText(...pair("c")));
    await until(() => listed(messages, live)?.results === 3);
    expect(newest()?.selected?.session).toBe(below);
  });

  it("switches to a session that begins in the window's folder", async () => {
    const { client, write, open, newest, live } = inWindow();
    open();
    client.fromPage(1, { type: "ready" });
    // Its folder has none yet.
    await until(() => newest()?.selected?.session === live);
    const own = write("own", HERE, 0);
    await until(() => newest()?.selected?.session === own);
  });

  it("switches to the folder's newest session, though an older one is read first", async () => {
    const goOn = join(folders.make(), "go-on");
    const { client, write, open, newest } = inWindow(
      withSlowReaders(`
        const { existsSync } = require("node:fs");
        const { parentPort } = require("node:worker_threads");
        const post = parentPort.postMessage.bind(parentPort);
        parentPort.postMessage = (message, moved) => {
          if (!message.replayed?.summary.path.endsWith("late.jsonl")) return post(message, moved);
          const timer = setInterval(() => {
            if (!existsSync(${JSON.stringify(goOn)})) return;
            clearInterval(timer);
            post(message, moved);
          }, 10);
        };`),
    );
    const [early, late] = [write("early", HERE, 900), write("late", HERE, 300)];
    open();
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === early);
    writeFileSync(goOn, "");
    await until(() => newest()?.selected?.session === late);
    expect(newest()?.following).toBe(true);
  });

  it("stays with one of two sessions that are written to at the same time, until another one begins", async () => {
    const { client, write, open, messages, lives, newest } = inWindow();
    const [one, two] = [write("one", HERE, 2), write("two", HERE, 1)];
    open();
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === two);
    const selected = () =>
      messages.flatMap(message => (message.type === "snapshot" ? [message.state.selected?.session] : []));
    const before = selected().length;
    for (let times = 1; times <= 2; times++) {
      for (const path of [one, two]) {
        appendFileSync(path, logText(...pair(`more-${times}-${path}`)));
        await until(() => listed(messages, path)?.results === 1 + times);
      }
    }
    expect(new Set([...selected().slice(before), two])).toEqual(new Set([two]));
    expect(lives.at(-1)?.session).toBe(two);
    const three = write("three", HERE, 0);
    await until(() => newest()?.selected?.session === three);
    await until(() => lives.at(-1)?.session === three);
  });

  it("shows the status of the folder's live session, not of another's", async () => {
    const { client, write, open, lives } = inWindow();
    const own = write("own", HERE, 1);
    open();
    client.fromPage(1, { type: "ready" });
    await until(() => lives.at(-1)?.session === own);
  });

  it("goes to the latest session when following is turned on, though none is live", async () => {
    const { client, write, open, messages, newest, old } = inWindow();
    const [early, late] = [write("early", HERE, 900), write("late", HERE, 300)];
    open();
    client.fromPage(1, { type: "ready" });
    await until(() => [early, late, old].every(path => (listed(messages, path)?.results ?? 0) > 0));
    client.fromPage(1, { type: "select", session: early });
    await until(() => newest()?.selected?.session === early);
    client.fromPage(1, { type: "follow", on: true });
    await until(() => newest()?.following === true);
    expect(newest()?.selected?.session).toBe(late);
  });

  it("can start at any session, and continues from there", async () => {
    const { client, write, open, messages, newest } = inWindow();
    const [early, late] = [write("early", HERE, 900), write("late", HERE, 300)];
    open();
    client.fromPage(1, { type: "ready" });
    // Before it is read, nobody knows whether a session is of the window's folder.
    await until(() => [early, late].every(path => listed(messages, path)?.here));
    await until(() => newest()?.selected?.session === late);
    client.fromPage(2, { type: "select", session: early, following: true });
    client.fromPage(2, { type: "ready" });
    // Not the newest snapshot: that may be one of the first page.
    const states = () => messages.flatMap(message => (message.type === "snapshot" ? [message.state] : []));
    await until(() => states().some(({ selected, following }) => following && selected?.session === early));
    appendFileSync(late, logText(...pair("more")));
    await until(() => newest()?.selected?.session === late);
  });
});

describe("a subagent", () => {
  const prompt = (content: string) => ({ type: "user", isSidechain: true, message: { content } });

  it("is named by its task, from the file next to its log, its parent's call, or its prompt", async () => {
    const { client, config, messages, newest } = started();
    const root = folders.make();
    const main = join(root, "s.jsonl");
    const task = { description: "Find the tests", prompt: "Look for all tests and list them." };
    const launched = { ...result("t1", textOf(300)), toolUseResult: { status: "completed", agentId: "a2" } };
    writeFileSync(main, logText(call("t1", "Agent", task), launched, ...pair("m")));
    const agents = join(root, "s", "subagents");
    mkdirSync(agents, { recursive: true });
    for (const [id, text] of [
      ["a1", "Read everything."],
      ["a2", "Look for all tests and list them."],
      ["a3", "Compare the two parsers."],
      ["a4", "<teammate-message>go</teammate-message>"],
    ] as const) {
      writeFileSync(join(agents, `agent-${id}.jsonl`), logText(prompt(text), ...pair(id)));
    }
    writeFileSync(join(agents, "agent-a1.meta.json"), '{"agentType":"Explore","description":"Map the loader"}');
    writeFileSync(join(agents, "agent-a3.meta.json"), "broken");
    client.configure({ ...config, roots: [root] });
    client.fromPage(1, { type: "ready" });
    await until(() => newest()?.selected?.session === main && newest()?.contexts.length === 5);
    const names = new Map(newest()?.contexts.map(({ id, task: name }) => [id, name]));
    expect([...names].sort()).toEqual([
      ["a1", "Map the loader"],
      ["a2", "Find the tests"],
      ["a3", "Compare the two parsers."],
      ["a4", ""],
      ["main", ""],
    ]);
    expect(dirname(listed(messages, main)?.key ?? "")).toBe(root);
  });
});
