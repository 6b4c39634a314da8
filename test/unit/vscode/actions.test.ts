/** What a page requests from the extension. A page does not wait for users: its request would time out. */
import { beforeEach, expect, it, vi } from "vitest";
import type { Ask, HostRequests } from "../../../src/protocol/requests.js";
import type { ActionParts } from "../../../src/vscode/actions.js";
import { COMMANDS } from "../../../src/vscode/ids.js";
import type { PageHost } from "../../../src/vscode/pageHost.js";
import { commandHandlers, window } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { Actions } = await import("../../../src/vscode/actions.js");

beforeEach(() => commandHandlers.clear());

/** Whether the page has its answer, with a dialog open that nobody closes. */
async function answersWhileDialogIsOpen(ask: Ask<HostRequests>, command: string): Promise<boolean> {
  let asked = 0;
  commandHandlers.set(command, () => {
    asked++;
    return new Promise(() => {});
  });
  const actions = new Actions({} as ActionParts);
  let answered = false;
  void actions.perform({} as PageHost, ask).then(() => {
    answered = true;
  });
  await new Promise(resolve => setImmediate(resolve));
  expect(asked).toBe(1);
  return answered;
}

it.each<[Ask<HostRequests>, string]>([
  [{ method: "exportReport" }, COMMANDS.exportReport],
  [{ method: "turnLiveHints", on: true }, COMMANDS.turnLiveHintsOn],
  [{ method: "turnLiveHints", on: false }, COMMANDS.turnLiveHintsOff],
])("%j is answered while the user decides", async (ask, command) => {
  expect(await answersWhileDialogIsOpen(ask, command)).toBe(true);
});

it.each<Ask<HostRequests>>([
  { method: "openCall", row: 1 },
  { method: "openComparison", row: 1 },
  { method: "openLogLine", row: 1 },
])("%j fails with a reason if the page shows no session", async ask => {
  const actions = new Actions({} as ActionParts);
  await expect(actions.perform({ shownContext: undefined } as PageHost, ask)).rejects.toThrow("no session is selected");
});

it("says where it looked instead of an empty list of sessions", async () => {
  // A list whose items cannot be had closes.
  Object.assign(window, { showQuickPick: async (items: Promise<unknown>) => void (await items) });
  const parts = {
    engine: { ask: async () => [] },
    roots: { current: () => ["/logs"] },
    pages: { active: undefined },
  } as unknown as ActionParts;
  const message = "There are no sessions yet: no Claude Code logs in /logs.";
  await expect(new Actions(parts).selectSession()).rejects.toThrow(message);
  await expect(new Actions(parts).showTranscript(undefined)).rejects.toThrow(message);
});
