/** The page as an editor tab: at most one, whatever VS Code restores after a reload. */
import { beforeEach, expect, it, vi } from "vitest";
import type { WebviewPanel } from "vscode";
import type { PageServices } from "../../../src/vscode/pageHost.js";
import { EventEmitter, Uri, window } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { EditorPanels } = await import("../../../src/vscode/editorPanel.js");
const { Pages } = await import("../../../src/vscode/pages.js");

class FakePanel {
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = new EventEmitter<unknown>().event;
  readonly webview = {
    cspSource: "",
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: new EventEmitter<unknown>().event,
    postMessage: async () => true,
  };
  revealed = 0;
  isDisposed = false;

  reveal(): void {
    this.revealed++;
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }
}

const services = {
  engine: { connect: () => ({ send: () => {}, close: () => {} }) },
  dist: new Uri({ scheme: "file", path: "/dist" }),
} as unknown as PageServices;

let pages: InstanceType<typeof Pages>;
let panels: InstanceType<typeof EditorPanels>;
let created: FakePanel[];

beforeEach(() => {
  pages = new Pages();
  panels = new EditorPanels(services, pages, {} as never);
  created = [];
  Object.assign(window, {
    createWebviewPanel: () => {
      const panel = new FakePanel();
      created.push(panel);
      return panel;
    },
  });
});

async function restored(): Promise<FakePanel> {
  const panel = new FakePanel();
  await panels.deserializeWebviewPanel(panel as unknown as WebviewPanel);
  return panel;
}

it("is restored, and then shown instead of a second one", async () => {
  const panel = await restored();
  panels.show();
  expect([panel.isDisposed, panel.revealed, created.length, pages.all.length]).toEqual([false, 1, 0, 1]);
});

it("comes to the front if a command applies to it", async () => {
  const panel = await restored();
  const revealed: number[] = [];
  await pages.withPage(page => revealed.push(pages.all.indexOf(page), panel.revealed));
  expect([...revealed, panel.revealed]).toEqual([0, 0, 1]);
});

it("goes if it is restored after another was opened, which is shown", async () => {
  panels.show();
  const late = await restored();
  expect([late.isDisposed, created[0]?.isDisposed, created[0]?.revealed, pages.all.length]).toEqual([
    true,
    false,
    1,
    1,
  ]);
  created[0]?.dispose();
  expect((await restored()).isDisposed).toBe(false);
});
