/** The engine says everything in its host's language, though its thread has texts of its own. */
import { expect, it } from "vitest";
import { strings } from "../../../src/words/strings.js";
import { started, until } from "./engineThread.js";

it("what the engine answers, and why it does not, is translated", async () => {
  const { noReference, noResult } = strings.failures;
  const { client, newest, live } = started(false, undefined, {
    [noReference]: "kein Verweis",
    [strings.compare.call]: "Aufruf {number}",
  });
  client.fromPage(1, { type: "ready" });
  await until(() => newest()?.selected?.session === live);
  const about = { session: live, context: "main" };
  const whole = await client.askAbout(about, { method: "compare", row: 1, strategy: "span" });
  expect(whole.left.title).toBe("Aufruf 2");
  await expect(client.askAbout(about, { method: "compare", row: 0 })).rejects.toThrow("kein Verweis");
  // Without a translation, it stays English.
  await expect(client.askAbout(about, { method: "logLine", row: 99 })).rejects.toThrow(noResult);
});
