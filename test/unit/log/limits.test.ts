/** Logs beyond the limits: what is left out is counted, and nothing else changes. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { ConversationReader } from "../../../src/log/conversation/conversationReader.js";
import { MAX_CONTEXTS } from "../../../src/log/logHeader.js";
import { LogReader, type ReaderOptions } from "../../../src/log/logReader.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { boundary, type Json, logText, prompt, read, replacement, result, textOf } from "../../support/log.js";

function reading(lines: readonly Json[], options: ReaderOptions) {
  const told: string[] = [];
  const reader = new LogReader((context, { fact, line }) => told.push(`${context.id} ${fact} ${line}`), options);
  reader.push(bytesOf(logText(...lines)));
  return { reader, told };
}

const ofAgent = (agentId: string, id: string) => result(id, "text", { isSidechain: true, agentId });

describe("more contexts than the limit", () => {
  const lines = [
    ofAgent("a", "1"),
    ofAgent("b", "2"),
    ofAgent("c", "3"),
    result("4", "text"),
    ofAgent("a", "5"),
    ofAgent("c", "6"),
  ];

  it("are left out line by line; known ones and the main conversation continue", () => {
    const { reader, told } = reading(lines, { maxContexts: 2 });
    expect(told).toEqual(["a result 1", "b result 2", "main result 4", "a result 5"]);
    expect(reader.header).toMatchObject({ leftOutLines: 2, badLines: 0 });
    expect(reader.lines).toBe(6);
    const replaced = [...lines, replacement(["3"], { agentId: "c" }), replacement(["1"], { agentId: "a" })];
    expect(reading(replaced, { maxContexts: 2 }).reader.header.leftOutLines).toBe(3);
  });

  it("stay left out when another reader continues", () => {
    const first = reading(lines.slice(0, 3), { maxContexts: 2 }).reader;
    const { reader, told } = reading(lines.slice(3), { maxContexts: 2, resume: structuredClone(first.state) });
    expect(told).toEqual(["main result 4", "a result 5"]);
    expect(reader.header.leftOutLines).toBe(2);
  });

  it("are as many as the limit, and no more, for figures and for conversations", () => {
    const agents = Array.from({ length: MAX_CONTEXTS + 3 }, (_, at) => ofAgent(`a${at}`, `${at}`));
    const bytes = bytesOf(logText(...agents, prompt("hello")));
    const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false };
    const model = new LogPipeline("s.jsonl", options);
    model.push(bytes);
    const data = model.data();
    expect([data.contexts.length, data.leftOutLines]).toEqual([MAX_CONTEXTS + 1, 3]);
    expect(data.contexts.at(-1)?.id).toBe("main");
    const conversations = new ConversationReader();
    conversations.push(bytes);
    expect(conversations.contexts.size).toBe(MAX_CONTEXTS + 1);
  });
});

describe("more compactions than the limit of partitions", () => {
  it("begin no partition, but nothing before them may be pointed at", () => {
    const once = (id: string) => [read(id, "/a"), result(id, textOf(300))];
    const lines = [...once("1"), boundary(), ...once("2"), boundary(), ...once("3"), ...once("4")];
    const { reader, told } = reading(lines, { maxCompactions: 1 });
    expect(told.filter(one => /boundary|rewind/.test(one))).toEqual(["main boundary 3", "main rewind 6"]);
    expect(reader.header).toMatchObject({ leftOutLines: 1, badLines: 0 });
  });

  it("are counted over all contexts, even when another reader continues", () => {
    const of = (agentId: string) => boundary(undefined, { isSidechain: true, agentId });
    const first = reading([of("a")], { maxCompactions: 2 }).reader;
    const { reader, told } = reading([of("b"), of("a")], { maxCompactions: 2, resume: structuredClone(first.state) });
    expect(told).toEqual(["b boundary 2", "a rewind 3"]);
    expect(reader.header.leftOutLines).toBe(1);
  });
});
