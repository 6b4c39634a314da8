/** Deleted logs: what was shown of them goes, wherever it was open. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionChange } from "../../../src/engine/engineMessages.js";
import { logText } from "../../support/log.js";
import { listOf, pair, started, until } from "./engineThread.js";

it("a page that follows goes on to the newest session that is left", async () => {
  const { client, messages, newest, live, old } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  rmSync(live);
  await until(() => newest()?.selected?.session === old);
  expect(newest()?.following).toBe(true);
  expect(listOf(messages).map(({ key }) => key)).toEqual([old]);
});

it("a page that was told to show it shows another session, and none if there is none", async () => {
  const { client, newest, live, old } = started();
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  client.fromPage(1, { type: "select", session: old });
  await until(() => newest()?.selected?.session === old);
  rmSync(old);
  await until(() => newest()?.selected?.session === live);
  rmSync(live);
  await until(() => newest()?.selected === null);
  expect(newest()).toMatchObject({ contexts: [], context: null, sessions: [] });
});

it("its watchers learn that it is gone, and others hear nothing", async () => {
  const { client, live, old } = started();
  const changes: [string, SessionChange][] = [];
  for (const session of [live, old]) client.watch(session, change => changes.push([session, change]));
  const stretch = () => client.askAbout({ session: old, context: "main" }, { method: "stretch", row: 0 });
  expect(await stretch()).toMatchObject({ results: 2 });
  rmSync(old);
  await until(() => changes.length > 0);
  await expect(stretch()).rejects.toThrow("this session's log is no longer available");
  expect(changes).toEqual([[old, "gone"]]);
});

it("a session is shown without a subagent whose log was deleted", async () => {
  const { client, newest, live } = started();
  const folder = join(live.replace(/\.jsonl$/, ""), "subagents");
  const agent = join(folder, "agent-a1.jsonl");
  mkdirSync(folder, { recursive: true });
  writeFileSync(agent, logText(...pair("x").map(line => ({ ...line, agentId: "a1", isSidechain: true }))));
  utimesSync(agent, 1e9, 1e9);
  const changes: SessionChange[] = [];
  client.watch(live, change => changes.push(change));
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live && newest()?.contexts.length === 2);
  changes.length = 0;
  rmSync(agent);
  await until(() => newest()?.contexts.length === 1 && changes.length > 0);
  expect(newest()?.selected).toEqual({ session: live, context: "main" });
  expect(changes).toEqual(["reset"]);
});
