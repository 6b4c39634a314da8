import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PanelState } from "../../src/protocol/messages.js";
import { TestPage } from "./page.js";
import { A_HIT } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

/** Everything a log could contain to make a page do or show what it should not. */
const NASTY = [
  `<img src=x onerror="host.hacked=1">`,
  `<script>host.hacked=1</script>`,
  `"><svg onload=host.hacked=1>`,
  `</script></style></textarea><script>host.hacked=1</script>`,
  `javascript:host.hacked=1`,
  `[go](command:workbench.action.quit) <command:workbench.action.quit> command:workbench.action.quit`,
  `vscode://file/etc/passwd vscode-insiders://x file:///etc/passwd $(flame)`,
  `{{constructor.constructor("host.hacked=1")()}}`,
  `\u001b[31mred\u001b[0m\u001b]8;;http://evil\u0007link\u0007`,
  `\u202egnp.exe\u202c \u2066x\u2069 \u200b\u200e`,
  `a\nb\tc\r\u0000\u0007d\u2028e`,
  `\ud800 lone`,
  "x".repeat(200_000),
  "",
];
const pick = (index: number) => NASTY[index % NASTY.length] ?? "";

function hostileState(): PanelState {
  const log = sampleLog();
  const state = panelState(log);
  const { context } = state;
  if (context === null) throw new Error("The sample has no context");
  return {
    ...state,
    place: "browser",
    sessions: [
      ...state.sessions,
      ...NASTY.map((text, at) => ({
        ...session(state),
        key: `k${at}${text}`,
        project: text,
        title: text,
        lastAt: text,
      })),
    ],
    contexts: [...state.contexts, ...NASTY.map((id, at) => ({ key: `c${at}`, id, task: pick(at), results: 1 }))],
    problems: NASTY.filter(Boolean),
    roots: NASTY,
    context: {
      ...context,
      tools: context.tools.map((_, at) => pick(at)),
      files: context.files.map((_, at) => pick(at)),
      targets: context.targets.map((_, at) => pick(at)),
      ids: context.ids.map((id, at) => `${pick(at).slice(0, 100)}${id}`),
      models: context.models.map((_, at) => pick(at)),
      marks: context.marks.map((mark, at) => ({
        ...mark,
        trigger: pick(at),
        at: pick(at),
        dropped: [...mark.dropped, -1],
      })),
    },
  };
}

function session(state: PanelState) {
  const [first] = state.sessions;
  if (first === undefined) throw new Error("The sample has no session");
  return first;
}

let opened: TestPage;

beforeAll(async () => {
  opened = await TestPage.open({
    answer: ask => {
      if (ask.method === "compare")
        return {
          left: { title: pick(0), text: NASTY.join("\n") },
          right: { title: pick(1), text: NASTY.slice(2).join("\n") },
        };
      if (ask.method === "logLine") return { file: pick(0), line: 1, text: NASTY.join("\n") };
      // A host truncates a transcript's texts.
      const body = NASTY.map(text => text.slice(0, 3000)).join("\n");
      const call = {
        id: pick(0),
        tool: pick(1),
        input: body,
        result: body,
        cut: true,
        hint: pick(2),
      };
      if (ask.method === "details") return call;
      if (ask.method !== "transcript") throw new Error(pick(0));
      return { calls: Array.from({ length: ask.count }, (_, at) => ({ ...call, row: ask.fromRow + at })) };
    },
  });
  await opened.show(hostileState());
});

afterAll(() => opened.close());

/** Nothing ran, nothing was loaded, nothing invisible got through, and nothing is wider than the page. */
async function expectInert(): Promise<void> {
  await opened.settled();
  expect(await opened.page.evaluate("host.hacked")).toBeUndefined();
  await opened.expectClean();
  expect(
    await opened.page.evaluate("document.querySelectorAll('#root :is(img, script, iframe, a, style, object)').length"),
  ).toBe(0);
  const text = await opened.page.evaluate<string>("document.body.textContent");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
  expect(await opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe("whatever a log contains is only text", () => {
  test("in the list and the bar", expectInert);

  test("in every selected result and mark", async () => {
    await opened.page.locator(".event-list").focus();
    for (let step = 0; step < 40; step++) await opened.page.keyboard.press("ArrowDown");
    await expectInert();
  });

  test("in the pickers", async () => {
    for (const name of [/^Session:/, /^Conversation:/, /^Path:/]) {
      await opened.page.getByRole("button", { name }).click();
      await expectInert();
      await opened.page.keyboard.press("Escape");
    }
  });

  test("in tooltips, tables and charts", async () => {
    for (const tab of ["Partitions", "What if", "Events"]) {
      await opened.page.getByRole("tab", { name: tab }).click();
      await expectInert();
    }
    await opened.page.getByRole("combobox", { name: "Tool" }).click();
    await expectInert();
    await opened.page.keyboard.press("Escape");
  });

  test("in texts, transcript, comparison and log line", async () => {
    await opened.post({ type: "reveal", row: A_HIT });
    await opened.page.getByText("Text", { exact: true }).click();
    await opened.page.locator(".preview pre").first().waitFor();
    await expectInert();
    for (const [name, shown] of [
      [/^Compare/, ".compare-row"],
      [/^Log line$/, ".log-line"],
    ] as const) {
      await opened.page.getByRole("button", { name }).click();
      await opened.page.locator(shown).first().waitFor();
      await expectInert();
      await opened.page.keyboard.press("Escape");
    }
    await opened.page.getByRole("tab", { name: "Transcript" }).click();
    await opened.page.locator(".call pre").first().waitFor();
    await expectInert();
  });

  test("in error messages", async () => {
    await opened.page.getByRole("button", { name: "More actions" }).click();
    await opened.page.getByRole("menuitem", { name: "Export report…" }).click();
    await opened.page.locator(".problem", { hasText: "Could not export the report" }).waitFor();
    await expectInert();
  });

  test("in the empty state", async () => {
    await opened.show({ ...hostileState(), sessions: [], selected: null, context: null, contexts: [] }, 5);
    await expectInert();
  });
});
