/** Small logs designed to take a lot of memory or time: each repeats one kind of thing. */
import { boundary, call, type Json, microcompact, prompt, replacement, result, textOf } from "./log.js";

/** The lines that a log of this kind repeats. */
type Growth = (at: number) => readonly (Json | string)[];

const ofAgent = (at: number) => ({ isSidechain: true, agentId: `a${at}` });
const pair = (at: number, tool: string, input: Json, body: string): Json[] => [
  call(`t${at}`, tool, input),
  result(`t${at}`, body),
];
/** A result that hints could point at, and its call. */
const answered = (at: number, body: string): Json[] => pair(at, "Bash", { command: "x" }, body);
/** The same, linked by its parent. */
const branch = (at: number, parentUuid: string): Json[] => [
  call(`t${at}`, "Bash", { command: "x" }, { uuid: `a${at}`, parentUuid }),
  result(`t${at}`, textOf(200, `${at % 5}`), { uuid: `r${at}`, parentUuid: `a${at}` }),
];
const request = (at: number, input: number, model = "m"): Json => ({
  type: "assistant",
  message: { id: `m${at}`, model, usage: { input_tokens: input }, content: [] },
});
const json = (members: string) => `{${members},"text":"${"y".repeat(500)}"}`;

export const HOSTILE_KINDS: Readonly<Record<string, Growth>> = {
  "contexts with a result": at => [result(`t${at}`, "x", ofAgent(at))],
  "contexts with a text": at => [
    call(`t${at}`, "Bash", {}, ofAgent(at)),
    result(`t${at}`, textOf(200, `${at}`), ofAgent(at)),
  ],
  "contexts with one line of other kinds": at => {
    const lines = [{ type: "user" }, { type: "progress", uuid: `${at}` }, boundary(), request(at, 5)];
    return [{ ...lines[at % lines.length], ...ofAgent(at) }];
  },
  "contexts with a replacement": at => [replacement([`t${at}`], { agentId: `a${at}` })],
  compactions: () => [boundary()],
  "compactions that keep much": at => [boundary(Array.from({ length: 8 }, (_, kept) => `${at}-${kept}`))],
  "texts that every compaction keeps": at =>
    at < 16
      ? [prompt(textOf(40_000, `${at}`), { uuid: `p${at}` })]
      : [boundary(Array.from({ length: 16 }, (_, kept) => `p${kept}`))],
  tools: at => pair(at, `tool${at}`, {}, "x"),
  paths: at => pair(at, "Read", { file_path: `/f${at}` }, "x"),
  "edits of what was just read": at =>
    pair(at, at % 2 === 0 ? "Read" : "Edit", { file_path: "/f" }, textOf(200, `${at}`)),
  "calls without a result": at => [call(`t${at}`, "Read")],
  "results without a call": at => [result(`t${at}`, "x")],
  "texts that differ": at => answered(at, textOf(200, `${at}`)),
  "lines that are all alike": at => answered(at, `${at}\n${"same\n".repeat(200)}`),
  "ever longer texts of one line": at => answered(at, `${"same\n".repeat(1000 * 2 ** Math.min(at, 12))}${at}`),
  "ever longer heads of hunks that do not end": at =>
    answered(at, `\u2028\n@@ -1${" +1".repeat(300 * 2 ** Math.min(at, 12))}\n${at}`),
  "ever more carriage returns": at => answered(at, `${"x\r".repeat(400 * 2 ** Math.min(at, 12))}${at}\nend`),
  models: at => [request(at, 5, `model${at}`)],
  "models with a sample each": at => [request(at, at * 10, `model${at}`), result(`t${at}`, textOf(2100, `${at}`))],
  versions: at => [{ type: "x", version: `v${at}` }],
  projects: at => [{ type: "user", cwd: `/p${at}` }],
  titles: at => [{ type: "summary", summary: `title ${at}` }],
  prompts: at => [prompt(`${at}`)],
  uuids: at => [{ uuid: `${at}` }],
  clearings: at => [microcompact([`t${at}`, `t${at + 1}`])],
  "ways back": at => [{ type: "assistant", uuid: `a${at}` }, prompt("again", { uuid: `u${at}`, parentUuid: "u0" })],
  "branches of branches": at => branch(at, `a${at >> 1}`),
  "branches from one line": at => branch(at, "a0"),
  "parents that come later": at => branch(at, `a${at + 1}`),
  "parents that are nowhere": at => branch(at, `nowhere${at}`),
  "parents in circles": at => branch(at % 1000, `a${(at * 7) % 1000}`),
  "inputs that shrink": at => [request(at, at % 2 === 0 ? 500 : 5)],
  "objects that are nearly the same": at => answered(at, json(`"a":${at}`)),
  "objects that are quite different": at => answered(at, json(`"a${at}":1,"long":"${textOf(60, `${at}`)}"`)),
  "objects with many members": at =>
    answered(at, `{${Array.from({ length: 400 }, (_, key) => `"${key}":[${at}]`).join()}}`),
  "objects that are lists in lists": at => answered(at, json(`"a":${"[".repeat(3000)}${at}${"]".repeat(3000)}`)),
  "hints of ours": at => answered(at, `> [ref: t${at - 1}, byte-identical]`),
  "line hints of ours": at => answered(at, "> [ref: t0 lines 1-2]\n".repeat(40)),
  "ever longer lines of line hints": at => answered(at, `x${"> [ref: ".repeat(100 * 2 ** Math.min(at, 12))}${at}`),
  "line hints to a long text": at =>
    answered(at, at === 0 ? "\n".repeat(200_000) : `> [ref: t0 lines ${at}-200000]\n${textOf(20, `${at}`)}`),
  "empty lines": () => ["", "", "", ""],
  "lines that are no JSON": () => ["x", "{", "}", "[]"],
};

/** At least this many bytes of one kind. */
export function hostileLog(kind: string, bytes: number): string {
  const growth = HOSTILE_KINDS[kind] as Growth;
  const pieces: string[] = [];
  for (let [at, size] = [0, 0]; size < bytes; at++) {
    const lines = growth(at).map(line => (typeof line === "string" ? line : JSON.stringify(line)));
    const piece = `${lines.join("\n")}\n`;
    pieces.push(piece);
    size += piece.length;
  }
  return pieces.join("");
}
