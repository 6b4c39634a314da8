/** How many characters a token has may only be known from logs that are read after the session on the page. */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyDelta, type LiveState, openState } from "../../../src/protocol/apply.js";
import type { ToPage } from "../../../src/protocol/messages.js";
import { unpackState } from "../../../src/protocol/packing.js";
import { logText, result, textOf } from "../../support/log.js";
import { folders, listed, started, until } from "./engineThread.js";

const CHARS = 5000;
const REQUESTS = 20;

const answer = (id: string, input: number) => ({
  type: "assistant",
  timestamp: "2026-01-05T08:00:00.000Z",
  message: {
    id,
    model: "claude-x",
    usage: { input_tokens: input, output_tokens: 10 },
    content: [{ type: "tool_use", id, name: "Bash", input: { command: id } }],
  },
});

/** Every result adds as many tokens to the next request as it has characters, divided by five. */
const measured = Array.from({ length: REQUESTS }, (_, at) => [
  answer(`m${at}`, 1000 + at * (CHARS / 5 + 10)),
  result(`m${at}`, textOf(CHARS, `${at}`)),
]).flat();

/** The page's data after these messages. */
function pageAfter(messages: readonly ToPage[]): LiveState | undefined {
  let page: LiveState | undefined;
  for (const message of messages) {
    if (message.type === "snapshot") page = openState(unpackState(message.state));
    else if (message.type === "delta" && page !== undefined) applyDelta(page, message.delta);
  }
  return page;
}

it("the page counts tokens as the list of sessions does, though both were learned after it was opened", async () => {
  const { client, config, messages } = started();
  const folder = join(folders.make(), "project");
  const [one, other] = ["one.jsonl", "other.jsonl"].map(name => join(folders.make(), name)) as [string, string];
  writeFileSync(one, logText(answer("a", 1000), result("a", textOf(CHARS, "a"))));
  client.configure({ ...config, roots: [one, folder] });
  client.fromPage(1, { type: "ready" });
  await until(() => pageAfter(messages)?.selected?.session === one && listed(messages, one)?.results === 1);
  const before = pageAfter(messages)?.context?.calibration.charsPerToken;
  writeFileSync(other, logText(...measured));
  utimesSync(other, 1e9, 1e9);
  client.configure({ ...config, roots: [one, other] });
  await until(() => pageAfter(messages)?.context?.calibration.charsPerToken !== before);
  await until(() => {
    const page = pageAfter(messages);
    const tokens = Math.round(CHARS / (page?.context?.calibration.charsPerToken ?? 0));
    return listed(messages, one)?.tokens === tokens;
  });
  expect(before).not.toBe(5);
});
