/** What an event is about, as the list shows it: the file's name first, its lines, then its folder. */
import { expect, it } from "vitest";
import { subjectOf } from "../../../webview/words/subject.js";
import { call, result, textOf } from "../../support/log.js";
import { contextOf } from "./context.js";

function subject(tool: string, input: Readonly<Record<string, unknown>>, project = "/work/app") {
  const lines = [{ ...call("a", tool, input), cwd: project }, result("a", textOf(300))];
  const { name, range, folder, whole } = subjectOf(contextOf(lines), 0, project);
  return { shown: [name, range, folder], whole };
}

const LONG = `/work/app/${"deeper/".repeat(12)}checkpoint-scenarios.md`;

it.each<[string, Readonly<Record<string, unknown>>, string[]]>([
  ["Read", { file_path: "/work/app/docs/a.md" }, ["a.md", "", "docs"]],
  ["Read", { file_path: "/work/app/a.md", offset: 380, limit: 120 }, ["a.md", "380–499", ""]],
  ["Read", { file_path: "/work/app/a.md", limit: 50 }, ["a.md", "1–50", ""]],
  ["Read", { file_path: "/work/app/a.md", offset: 2000 }, ["a.md", "2000–", ""]],
  ["Edit", { file_path: "/elsewhere/b.ts" }, ["b.ts", "", "/elsewhere"]],
  ["Bash", { command: "npm test" }, ["npm test", "", ""]],
  ["Grep", { pattern: "TODO", path: "/work/app/src" }, ["TODO", "", "src"]],
  ["Agent", { description: "Find tests" }, ["Find tests", "", ""]],
])("%s %j", (tool, input, shown) => {
  expect(subject(tool, input).shown).toEqual(shown);
});

it("names a file in full, however long its path is", () => {
  const { shown, whole } = subject("Read", { file_path: LONG, offset: 1, limit: 10 });
  expect(shown[0]).toBe("checkpoint-scenarios.md");
  expect(shown[2]).toBe("deeper/".repeat(12).slice(0, -1));
  expect(whole).toBe(`${LONG} 1–10`);
});

it("knows both kinds of slashes", () => {
  const { shown } = subject("Read", { file_path: "C:\\work\\app\\src\\a.ts" }, "C:\\work\\app");
  expect(shown).toEqual(["a.ts", "", "src"]);
});
