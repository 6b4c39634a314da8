/** The tooltip of the status bar: a title comes from a log. */
import { createRequire } from "node:module";
import { expect, it, onTestFinished, vi } from "vitest";
import { EventEmitter, window } from "./vscode.js";

const MarkdownIt = createRequire(import.meta.url)("markdown-it");

/** Escapes as VS Code does, which says nothing about addresses. */
class MarkdownString {
  value = "";

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    return this.appendMarkdown(text.replace(/[\\`*_{}[\]()#+\-!~>]/g, "\\$&"));
  }
}

vi.mock("vscode", async () => ({ ...(await import("./vscode.js")), MarkdownString, StatusBarAlignment: { Right: 2 } }));
const { StatusBar } = await import("../../../src/vscode/statusBar.js");

it("has no link in it but ours", () => {
  const item = { show: () => {}, hide: () => {}, dispose: () => {}, tooltip: new MarkdownString() };
  Object.assign(window, { createStatusBarItem: () => item });
  const live = new EventEmitter<unknown>();
  const watch = () => ({ dispose: () => {} });
  const engine = { onDidChangeLive: live.event, watch, isRunning: true };
  const config = {
    onDidChange: new EventEmitter().event,
    settings: { statusBar: true },
    forEngine: { liveHints: "off" },
  };
  const bar = new StatusBar(engine as never, config as never, { exist: true } as never);
  onTestFinished(() => bar.dispose());
  const title = "see https://evil.com/x, www.evil.com and a@evil.com";
  live.fire({ session: "s", title, tokens: 100, savedTokens: 50, realisedTokens: 0 });
  const rendered: string = new MarkdownIt({ linkify: true }).render(item.tooltip.value.replace("(command:", "(#"));
  expect(rendered).toContain(title);
  expect(rendered.match(/<a/g)).toHaveLength(1);
});
