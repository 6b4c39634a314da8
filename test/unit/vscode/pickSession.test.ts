/** The list of sessions in a quick pick: the window's own folder first. */
import { beforeEach, expect, it, vi } from "vitest";
import type { SessionItem } from "../../../src/protocol/messages.js";
import { QuickPickItemKind, window } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { pickSession } = await import("../../../src/vscode/pickSession.js");

let shown: readonly { readonly label: string; readonly description?: string; readonly kind?: number }[];

beforeEach(() => {
  Object.assign(window, {
    showQuickPick: async (items: Promise<typeof shown>) => {
      shown = await items;
      return shown.at(-1);
    },
  });
});

function session(title: string, more: Partial<SessionItem> = {}): SessionItem {
  const figures = { live: false, results: 1, repeats: 0, tokens: 0, savedTokens: 0, wholeTokens: 0, realisedTokens: 0 };
  return { key: title, project: "/work", title, lastAt: "2026-11-17T08:00:00Z", ...figures, ...more };
}

const labels = () => shown.map(({ label, kind }) => (kind === QuickPickItemKind.Separator ? `-- ${label}` : label));

it("has this folder's sessions first, each group under its heading", async () => {
  const all = [session("newest"), session("mine", { here: true }), session("sample", { sample: true })];
  expect(await pickSession(Promise.resolve(all), undefined)).toBe("sample");
  expect(labels()).toEqual(["-- This folder", "mine", "-- Others", "newest", "sample"]);
});

it.each([[true as const], [undefined]])("has no headings if there is only one group", async here => {
  const all = [session("a", here && { here }), session("b", here && { here })];
  await pickSession(Promise.resolve(all), "a");
  expect(labels()).toEqual(["a", "b"]);
});

it("says which session the panel shows", async () => {
  await pickSession(Promise.resolve([session("a", { live: true }), session("b", { live: true })]), "b");
  expect(shown.map(({ description }) => description)).toEqual(["/work · live", "shown now · /work · live"]);
});
