/** Small logs that are made to take much memory or time: each names ever more of one thing. */
import { boundary, call, type Json, microcompact, prompt, result, textOf } from "./log.js";

/** The lines by which a log of this kind grows. */
type Growth = (at: number) => readonly (Json | string)[];

const ofAgent = (at: number) => ({ isSidechain: true, agentId: `a${at}` });
const pair = (at: number, tool: string, input: Json, body: string): Json[] => [
  call(`t${at}`, tool, input),
  result(`t${at}`, body),
];
const request = (at: number, input: number, model = "m"): Json => ({
  type: "assistant",
  message: { id: `m${at}`, model, usage: { input_tokens: input }, content: [] },
});
const json = (members: string) => `{${members},"text":"${"y".repeat(500)}"}`;

export const HOSTILE_KINDS: Readonly<Record<string, Growth>> = {
  "contexts with a result": at => [result(`t${at}`, "x", ofAgent(at))],
  "contexts with a text": at => [result(`t${at}`, textOf(200, `${at}`), ofAgent(at))],
  "contexts without anything": at => [{ type: "user", ...ofAgent(at) }],
  "contexts with a uuid": at => [{ type: "progress", uuid: `${at}`, ...ofAgent(at) }],
  "contexts with a compaction": at => [boundary(undefined, ofAgent(at))],
  "contexts with a request": at => [{ ...request(at, 5), ...ofAgent(at) }],
  compactions: () => [boundary()],
  "compactions that keep much": at => [boundary(Array.from({ length: 20 }, (_, kept) => `${at}-${kept}`))],
  tools: at => pair(at, `tool${at}`, {}, "x"),
  paths: at => pair(at, "Read", { file_path: `/f${at}` }, "x"),
  "edits of what was just read": at =>
    pair(at, at % 2 === 0 ? "Read" : "Edit", { file_path: "/f" }, textOf(200, `${at}`)),
  "calls without a result": at => [call(`t${at}`, "Read")],
  "results without a call": at => [result(`t${at}`, "x")],
  "texts that differ": at => [result(`t${at}`, textOf(200, `${at}`))],
  "lines that are all alike": at => [result(`t${at}`, `${at}\n${"same\n".repeat(200)}`)],
  models: at => [request(at, 5, `model${at}`)],
  "models with a sample each": at => [request(at, at * 10, `model${at}`), result(`t${at}`, textOf(2100, `${at}`))],
  versions: at => [{ type: "x", version: `v${at}` }],
  projects: at => [{ type: "user", cwd: `/p${at}` }],
  titles: at => [{ type: "summary", summary: `title ${at}` }],
  uuids: at => [{ uuid: `${at}` }],
  clearings: at => [microcompact([`t${at}`, `t${at + 1}`])],
  "ways back": at => [{ type: "assistant", uuid: `a${at}` }, prompt("again", { uuid: `u${at}`, parentUuid: "u0" })],
  "inputs that shrink": at => [request(at, at % 2 === 0 ? 500 : 5)],
  "objects that are nearly the same": at => [result(`t${at}`, json(`"a":${at}`))],
  "objects that are quite different": at => [result(`t${at}`, json(`"a${at}":1,"long":"${textOf(60, `${at}`)}"`))],
  "objects with many members": at => [
    result(`t${at}`, `{${Array.from({ length: 400 }, (_, key) => `"${key}":[${at}]`).join()}}`),
  ],
  "objects that are lists in lists": at => [result(`t${at}`, json(`"a":${"[".repeat(3000)}${at}${"]".repeat(3000)}`))],
  "hints of ours": at => [result(`t${at}`, `> [ref: t${at - 1}, byte-identical]`)],
  "line hints of ours": at => [result(`t${at}`, "> [ref: t0 lines 1-2]\n".repeat(40))],
  "empty lines": () => ["", "", "", ""],
  "lines that are no JSON": () => ["x", "{", "}", "[]"],
};

/** At least so many bytes of a kind. */
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
