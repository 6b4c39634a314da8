/** Drives one page: opens it in a theme and a size, posts states, and inspects what it sent. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";
import type { PanelDelta, PanelState, ToHost, ToPage } from "../../src/protocol/messages.js";
import type { PageAsk } from "../../src/protocol/requests.js";
import { strings } from "../../src/words/strings.js";
import { textsIn } from "../../src/words/translate.js";
import type { ThemeName } from "./themes.js";

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** Answers the page's requests; undefined for no answer. */
  readonly answer?: (ask: PageAsk) => unknown;
  /** Receives everything that the page sends: the real engine. */
  readonly toEngine?: (message: ToHost) => void;
}

/** As long as a busy engine takes: a test that does not wait for answers fails at once, not one time in a hundred. */
const ANSWER_MS = 100;

let browser: Promise<Browser> | undefined;

/** One connection for all tests of a file. */
export function connected(): Promise<Browser> {
  browser ??= chromium.connect(inject("browser"));
  return browser;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Where the two forms of each text meet: " token|" of "{n} token|{n} tokens". */
const BOTH_FORMS = textsIn(strings)
  .flatMap(text => text.split(/\{\w+\}/))
  .filter(part => /\w\||\|\w/.test(part));

export class TestPage {
  readonly page: Page;
  #devTools: CDPSession | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  static async open({
    theme = "dark",
    width = 1400,
    height = 470,
    answer,
    toEngine,
  }: OpenOptions = {}): Promise<TestPage> {
    const context = await (await connected()).newContext({ viewport: { width, height } });
    const page = await context.newPage();
    // Only guards against hanging.
    page.setDefaultTimeout(120_000);
    if (answer) {
      await page.exposeFunction("answerAsk", async (ask: PageAsk) => {
        await wait(ANSWER_MS);
        return answer(ask);
      });
    }
    if (toEngine) await page.exposeFunction("toEngine", toEngine);
    await page.goto(`${inject("server")}/?theme=${theme}`);
    const opened = new TestPage(page);
    await opened.waitForMessage("ready");
    return opened;
  }

  async post(message: ToPage): Promise<void> {
    await this.page.evaluate(`host.post(${JSON.stringify(message)})`);
    await this.settled();
  }

  /** Posts a snapshot and waits until it is drawn. */
  async show(state: PanelState, seq = 1): Promise<void> {
    await this.page.evaluate(`host.snapshot(${seq}, ${JSON.stringify(state)})()`);
    await this.settled();
  }

  /**
   * The page thread's CPU time in milliseconds while a script runs, until what it drew is on the screen. Unlike wall
   * time, other processes do not affect it.
   */
  async workOf(script: string): Promise<number> {
    this.#devTools ??= await this.page.context().newCDPSession(this.page);
    const session = this.#devTools;
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    };
    const before = await worked();
    await this.page.evaluate(`(async () => {
      ${script};
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    })()`);
    return (await worked()) - before;
  }

  /** Shows a state with its rows repeated up to a number of results; returns the CPU time until it was painted. */
  async showRepeated(state: PanelState, results: number, seq = 1): Promise<number> {
    await this.page.evaluate(`{
      const state = host.repeated(${JSON.stringify(state)}, ${results});
      window.postRepeated = host.snapshot(${seq}, state);
    }`);
    return this.workOf(`await new Promise(arrived => {
      addEventListener("message", arrived, { capture: true, once: true });
      postRepeated();
    })`);
  }

  /** The CPU time this browser needs to show that many plain rows at once: the baseline for the page's own. */
  async plainRows(count: number): Promise<number> {
    const work = await this.workOf(`
      const list = document.createElement("div");
      for (let at = 0; at < ${count}; at++) {
        const row = list.appendChild(document.createElement("div"));
        for (const text of [at, "Bash", "npm test " + at, "hit"]) row.appendChild(document.createElement("span")).textContent = text;
      }
      list.id = "plain-rows";
      document.body.appendChild(list)`);
    await this.page.evaluate(`document.getElementById("plain-rows").remove()`);
    return work;
  }

  async delta(seq: number, delta: PanelDelta): Promise<void> {
    await this.post({ type: "delta", seq, delta });
  }

  /** Two frames: one for the message to arrive and be applied, one for what it draws. */
  async settled(): Promise<void> {
    const frame = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))";
    await this.page.evaluate(`${frame}.then(() => ${frame})`);
  }

  messages(): Promise<ToHost[]> {
    return this.page.evaluate<ToHost[]>("host.messages");
  }

  /** Requests are sent after what needs them is drawn. */
  async asks(): Promise<PageAsk[]> {
    await this.settled();
    return (await this.messages()).flatMap(message => (message.type === "request" ? [message.ask] : []));
  }

  async waitForMessage(type: ToHost["type"], times = 1): Promise<void> {
    await this.page.waitForFunction(`host.messages.filter(message => message.type === "${type}").length >= ${times}`);
  }

  /** The text of the first element that a selector finds. */
  async text(selector: string): Promise<string> {
    return ((await this.page.locator(selector).first().textContent()) ?? "").replace(/\s+/g, " ").trim();
  }

  /** The texts of elements that are not wide enough for them. */
  cutTexts(selector: string): Promise<string[]> {
    return this.page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter(element => element.scrollWidth > element.clientWidth)
      .map(element => element.textContent)`);
  }

  async expectAccessible(where: string): Promise<void> {
    await this.page.evaluate(AXE);
    // In VS Code the headings and landmarks are around the page's frame.
    const options = JSON.stringify({ rules: { "page-has-heading-one": { enabled: false } } });
    const found = await this.page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
      violations.map(rule => [rule.id, rule.nodes.length + " times", rule.nodes[0].target.join(" "),
        rule.nodes[0].failureSummary.replace(/\\s+/g, " ")].join(": ")))`);
    expect(found, where).toEqual([]);
  }

  /** Nothing that is read, on the screen or aloud, shows both forms of a plural. */
  async expectOneForm(where: string): Promise<void> {
    const read = await this.page.evaluate<string[]>(`[...document.body.querySelectorAll("*")].flatMap(element =>
      [element.ariaLabel, element.title, ...[...element.childNodes].map(node => node.nodeType === 3 && node.data)]
        .filter(text => text && text.includes("|")))`);
    expect(
      read.filter(text => BOTH_FORMS.some(part => text.includes(part))),
      where,
    ).toEqual([]);
  }

  /** Nothing violated the policy, and nothing threw. */
  async expectClean(): Promise<void> {
    expect(await this.page.evaluate("host.violations")).toEqual([]);
    expect(await this.page.evaluate("host.errors")).toEqual([]);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
