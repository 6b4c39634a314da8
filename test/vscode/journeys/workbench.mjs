// A user's VS Code with the packaged extension installed, their logs in a temporary home.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, runCommand, screenshot } from "../rig/page.mjs";
import { startServer } from "../rig/server.mjs";
import { SessionLog } from "../support/sessionLog.mjs";

export { body } from "../support/sessionLog.mjs";

const EXTENSION = "dedup-inspector.dedup-inspector";

export class Workbench {
  /** @param {{ vsix: string, root: string, project?: string, settings?: Record<string, unknown>, viewport?: object }} options */
  static async open({ vsix, root, project = "workspace", settings, viewport = { width: 1400, height: 900 } }) {
    const home = join(root, "home");
    const folder = join(root, project);
    for (const path of [join(home, ".claude", "projects"), folder]) mkdirSync(path, { recursive: true });
    const env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude") };
    const server = await startServer({ version: process.env.RIG_VERSION, installExtensions: [vsix], env, settings });
    try {
      const { browser, page } = await launch({ url: server.url, folder, viewport });
      return new Workbench({ server, browser, page, home, root });
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  constructor({ server, browser, page, home, root }) {
    this.server = server;
    this.browser = browser;
    this.page = page;
    this.home = home;
    this.root = root;
    /** What the browser refused to load or run; pages must cause none. */
    this.violations = [];
    page.on("console", message => {
      if (/Content Security Policy/i.test(message.text())) this.violations.push(message.text());
    });
  }

  /** A session that Claude Code writes in a project of this user. */
  session(number, title) {
    const id = `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return new SessionLog(join(this.home, ".claude", "projects", "-home-ana-project", `${id}.jsonl`), { title });
  }

  command(title) {
    return runCommand(this.page, `Dedup: ${title}`);
  }

  /** Opens the Dedup panel and returns its page. */
  async openPanel() {
    await this.command("Open Panel");
    return this.shown("panel");
  }

  /**
   * The page that is shown in a part of the window. (A view that was hidden and shown again no longer has its purpose in
   * its URL, so views and editor tabs are distinguished by where they are.)
   * @param {"panel" | "editor"} part
   */
  async shown(part) {
    const frames = this.page.locator(`iframe.webview[src*="extensionId=${EXTENSION}" i]`);
    const id = await eventually(`a page in the ${part}`, async () => {
      const around = await this.page.locator(`.part.${part}`).boundingBox();
      for (const frame of await frames.all()) {
        // It may be gone by now.
        const soon = { timeout: 2000 };
        const [box, src] = await Promise.all([frame.boundingBox(soon), frame.getAttribute("src", soon)]).catch(
          () => [],
        );
        if (src && isInside(box, around)) return /[?&]id=([\w-]+)/.exec(src)?.[1];
      }
      return undefined;
    });
    const inner = this.page.locator(`iframe.webview[src*="id=${id}"]`).contentFrame();
    const content = inner.locator("iframe#active-frame").contentFrame();
    await content.locator("#root > *").first().waitFor();
    return content;
  }

  screenshot(name) {
    return screenshot(this.page, join(process.env.DEDUP_SCREENSHOTS ?? this.root, `${name}.png`));
  }

  async close() {
    await this.browser.close();
    await this.server.stop();
  }
}

/** Runs a journey in a workbench; if it fails, reports what was on the screen. */
export async function inWorkbench(options, travel) {
  const workbench = await Workbench.open(options);
  try {
    await travel(workbench);
    if (workbench.violations.length > 0) throw new Error(`refused by the browser: ${workbench.violations[0]}`);
  } catch (error) {
    const file = join(tmpdir(), `dedup-journey-${Date.now()}.png`);
    await screenshot(workbench.page, file).then(
      () => console.error(`screenshot: ${file}`),
      () => undefined,
    );
    throw error;
  } finally {
    await workbench.close();
  }
}

function isInside(box, around) {
  if (!box || !around || box.height === 0) return false;
  const middle = box.y + box.height / 2;
  return middle > around.y && middle < around.y + around.height;
}

/** A menu ignores clicks right after it has opened: so it is clicked until it is gone. */
export async function choose(page, item) {
  const found = page.locator(".monaco-menu .action-item", { hasText: item });
  await found.waitFor();
  await eventually(`${item} chosen`, async () => {
    if (await found.isVisible()) await found.click({ timeout: 1000 }).catch(() => {});
    return !(await found.isVisible());
  });
}

/** Waits until something is true, and returns it. */
export async function eventually(what, look, limitMs = 120_000) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
