// A log full of hostile text: it is displayed, and does nothing.
import assert from "node:assert/strict";
import { body, choose, eventually, inWorkbench } from "./workbench.mjs";

const HARM = "window.top.hacked = globalThis.hacked = 1";
const TEXTS = [
  `<img src=x onerror="${HARM}">`,
  `</script></style><script>${HARM}</script>`,
  `"><svg onload="${HARM}">`,
  "[go](command:workbench.action.terminal.new) command:workbench.action.terminal.new",
  `[go](command:dedup.openSample) <a href="command:dedup.openSample">x</a>`,
  "vscode://file/etc/passwd file:///etc/passwd https://evil.example/?q=1 $(flame)",
  "\u001b[31mred\u001b[0m\u001b]8;;https://evil.example\u0007link\u0007",
  "\u202egnp.exe\u202c \u2066x\u2069 \u200b\u200e",
  "> [ref: toolu_0001, byte-identical]\n> [ref: ../../../etc/passwd, byte-identical]",
  "a\tb\u0000c\u2028d \ud800",
];

export function journey(options) {
  return inWorkbench(options, async workbench => {
    const { page } = workbench;
    const dialogs = [];
    page.on("dialog", dialog => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const log = workbench.session(1, TEXTS[0]);
    for (const text of TEXTS) {
      log.call(text, { command: text, file_path: text, prompt: text }, `${text}\n${body("hostile")}`);
      log.call("Bash", { command: text }, text.repeat(30));
    }
    log.call("Bash", { command: "again" }, TEXTS.at(-1).repeat(30));
    const panel = await workbench.openPanel();
    const hit = panel.locator(".event-hit");
    await hit.first().waitFor();
    await workbench.screenshot("hostile-panel");
    const width = await panel.locator("html").evaluate(html => [html.scrollWidth, html.clientWidth]);
    assert.ok(width[0] <= width[1], `the page is as wide as its frame, not ${width}`);

    await hit.first().locator("button.link").click();
    const lines = page.locator(".monaco-editor .view-line");
    await lines.first().waitFor();
    await eventually("the transcript", async () =>
      (await lines.allTextContents()).some(line => /──\scall\s\d+/.test(line)),
    );
    // Every link of the transcript is one of ours: text from a log never makes one that runs a command.
    const active = page.locator(".margin-view-overlays .line-numbers.active-line-number");
    await active.first().waitFor();
    await eventually("the cursor on a call", () => page.evaluate(isOnCall));
    await eventually("links", async () => (await page.locator(".detected-link").count()) > 0);
    for (const link of await page.locator(".detected-link").all()) {
      const text = (await link.textContent()) ?? "";
      assert.doesNotMatch(text, /command:|vscode:|file:/, `a link made of ${text}`);
    }
    await workbench.screenshot("hostile-transcript");
    await hit.first().click({ button: "right" });
    await choose(page, "Open Log Line");
    await page.locator(".tab.active", { hasText: /line \d+\.jsonc/ }).waitFor();

    assert.equal(await page.evaluate(() => globalThis.hacked), undefined, "no script of the log has run");
    assert.equal(await panel.locator("body").evaluate(() => globalThis.hacked), undefined);
    assert.deepEqual(dialogs, []);
    assert.equal(await page.locator(".notification-toast").count(), 0, "no notification");
    assert.equal(await page.locator(".terminal-wrapper").count(), 0, "no terminal");
  });
}

/** Whether the line with the cursor is a call's head: a text with unexpected line breaks would move it. */
function isOnCall() {
  const number = document.querySelector(".line-numbers.active-line-number");
  const top = number?.parentElement?.style.top;
  const line = [...document.querySelectorAll(".view-lines .view-line")].find(one => one.style.top === top);
  return /^──\scall\s20/.test(line?.textContent ?? "");
}
