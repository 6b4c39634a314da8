import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf } from "../../../src/log/bytes.js";
import { LogLine } from "../../../src/log/line.js";
import { countAt, stringAt, stringOf } from "../../../src/log/values.js";

function lineOf(text: string): LogLine {
  const line = new LogLine();
  const bytes = bytesOf(text);
  expect(line.read(bytes, 0, bytes.length)).toBe(true);
  return line;
}

function isReadable(text: string): boolean {
  const bytes = bytesOf(text);
  return new LogLine().read(bytes, 0, bytes.length);
}

describe("a log line", () => {
  it("gives its members in any order and passes over the others", () => {
    const line = lineOf('{"gitBranch":"x","uuid":"u1","parentUuid":null,"cwd":"C:\\\\w","type":"user"}');
    expect(line.text("uuid")).toBe("u1");
    expect(line.text("cwd")).toBe("C:\\w");
    expect(line.text("type")).toBe("user");
    expect(line.text("parentUuid")).toBeUndefined();
    expect(line.text("message")).toBeUndefined();
    expect(line.parse("message")).toBeUndefined();
  });

  it("never takes a nested member for its own", () => {
    const line = lineOf('{"message":{"uuid":"inner","type":"message"},"data":{"type":"x"},"type":"assistant"}');
    expect(line.text("uuid")).toBeUndefined();
    expect(line.text("type")).toBe("assistant");
  });

  it("takes the last of equal members, as JSON does", () => {
    expect(lineOf('{"uuid":"a","uuid":"b"}').text("uuid")).toBe("b");
    expect(lineOf('{"isMeta":true,"isMeta":false}').isTrue("isMeta")).toBe(false);
  });

  it("knows the literal true from everything else", () => {
    expect(lineOf('{"isSidechain":true}').isTrue("isSidechain")).toBe(true);
    for (const other of ["false", "null", '"true"', "1", "{}"]) {
      expect(lineOf(`{"isSidechain":${other}}`).isTrue("isSidechain")).toBe(false);
    }
    expect(lineOf("{}").isTrue("isSidechain")).toBe(false);
  });

  it("compares a string as a whole", () => {
    const line = lineOf('{"type":"system","subtype":"compact_boundary"}');
    expect(line.is("subtype", "compact_boundary")).toBe(true);
    expect(line.is("subtype", "compact")).toBe(false);
    expect(line.is("subtype", "microcompact_boundary")).toBe(false);
    expect(line.is("uuid", "")).toBe(false);
    expect(lineOf('{"type":5}').is("type", "5")).toBe(false);
  });

  it("decodes what is escaped and keeps what is not ASCII", () => {
    expect(lineOf('{"cwd":"/tmp/\\u00e9\\n\\"日🎉"}').text("cwd")).toBe('/tmp/é\n"日🎉');
  });

  it("tells where the blocks of its message stand", () => {
    const line = lineOf(
      '{"type":"user","message":{"content":["x",{"type":"text"},{"tool_use_id":"t","type":"tool_result"}]}}',
    );
    expect(line.blockCount).toBe(2);
    const ids = line.blocks.slice(0, line.blockCount).map(block => stringOf(line.bytes, block, "tool_use_id"));
    expect(ids).toEqual([undefined, "t"]);
    const next = bytesOf('{"type":"user","message":{"content":"text"}}');
    expect(line.read(next, 0, next.length)).toBe(true);
    expect(line.blockCount).toBe(0);
  });

  it("parses a member only when asked, and throws only then", () => {
    const line = lineOf('{"type":"user","message":{"content":[1,2,nonsense]}}');
    expect(line.text("type")).toBe("user");
    expect(() => line.parse("message")).toThrow(SyntaxError);
    expect(lineOf('{"message":{"content":[1,2]}}').parse("message")).toEqual({ content: [1, 2] });
  });

  it("forgets the line before", () => {
    const line = lineOf('{"uuid":"a","isMeta":true}');
    const next = bytesOf('{"type":"user"}');
    expect(line.read(next, 0, next.length)).toBe(true);
    expect(line.text("uuid")).toBeUndefined();
    expect(line.isTrue("isMeta")).toBe(false);
    expect(line.text("type")).toBe("user");
  });

  it.each(["", "   ", "null", "[]", '"text"', "{", '{"type":"user"', '{"type":"user"}}', "\u0000", "garbage"])(
    "is not read from %j",
    text => {
      expect(isReadable(text)).toBe(false);
    },
  );

  it("is read with blanks and a carriage return around it", () => {
    expect(isReadable(' {"type":"user"}\r')).toBe(true);
  });
});

describe("the string at a place", () => {
  const at = (text: string) => stringAt(bytesOf(text), 0, bytesOf(text).length);

  it("is there only where a string is", () => {
    expect(at('"abc"')).toBe("abc");
    expect(at('""')).toBe("");
    expect(at("abc")).toBeUndefined();
    expect(at("{}")).toBeUndefined();
    expect(stringAt(bytesOf('"abc"'), -1, -1)).toBeUndefined();
  });

  it("makes the line a bad one where its escapes are wrong", () => {
    expect(() => at('"\\x41"')).toThrow(SyntaxError);
    expect(() => at('"\\u12"')).toThrow(SyntaxError);
  });
});

describe("the count at a place", () => {
  const count = (text: string) => countAt(bytesOf(text), 0, bytesOf(text).length);

  it("is a whole number, and 0 for anything else", () => {
    expect(count("0")).toBe(0);
    expect(count("123456")).toBe(123_456);
    expect(count("999999999999999")).toBe(999_999_999_999_999);
    for (const other of ["-1", "1.5", "1e3", '"1"', "null", "true", "{}", "9999999999999999"])
      expect(count(other)).toBe(0);
    expect(countAt(bytesOf("1"), -1, -1)).toBe(0);
  });
});

const nested = fc.constantFrom(
  { type: "user", uuid: "inner", timestamp: "t", isSidechain: true, message: { id: "inner" } },
  { type: "file_unchanged", originalFile: `line } ] , "uuid":"inner"\n`.repeat(20) },
  [{ uuid: "inner" }, [[]], "}]\\"],
);
const filler = fc.oneof(nested, fc.constantFrom("x".repeat(300), '"}'.repeat(200), "", null, 7, [], {}));
const text = fc.constantFrom("", "a", 'q"\\', "日🎉", `${"long ".repeat(80)}}`);
const member = <T>(key: string, value: fc.Arbitrary<T>) => value.map(one => [key, one] as const);

/** The members of a line, known ones and strangers, small and large; a line may have them in any order. */
const members = fc.tuple(
  ...["type", "subtype", "uuid", "parentUuid", "timestamp", "agentId", "sessionId", "cwd", "version"].map(key =>
    member(key, text),
  ),
  ...["isSidechain", "isMeta", "isCompactSummary"].map(key => member(key, fc.boolean())),
  ...["toolUseResult", "compactMetadata", "microcompactMetadata", "replacements"].map(key => member(key, filler)),
  ...["data", "snapshot", "mcpMeta", "slug"].map(key => member(key, filler)),
  member("message", fc.record({ id: text, usage: nested, content: fc.array(nested, { maxLength: 2 }) })),
);

describe("a line with a large value", () => {
  const chain = { parentUuid: "p", isSidechain: false, type: "user", uuid: "u", timestamp: "t" };
  const large = { type: "file_unchanged", file: { filePath: `/w/${"a".repeat(300)}` } };

  it("still has what stands behind it", () => {
    const line = lineOf(JSON.stringify({ ...chain, toolUseResult: large, message: { id: "m" }, version: "2" }));
    expect(line.parse("message")).toEqual({ id: "m" });
    const boundary = lineOf(
      JSON.stringify({ ...chain, hookInfos: [large], compactMetadata: { a: [1] }, version: "2" }),
    );
    expect(boundary.parse("compactMetadata")).toEqual({ a: [1] });
  });

  it("does not take what stands behind it for a part of it", () => {
    const line = lineOf(JSON.stringify({ ...chain, toolUseResult: large, origin: { kind: "human" }, version: "2" }));
    expect(line.parse("toolUseResult")).toEqual(large);
  });
});

describe("for any line", () => {
  it("every member is found as JSON has it, in whatever order and however large its neighbours are", () => {
    const shuffled = members.chain(all => fc.shuffledSubarray(all, { minLength: all.length - 3 }));
    fc.assert(
      fc.property(shuffled, chosen => {
        const object: Record<string, unknown> = Object.fromEntries(chosen);
        const line = lineOf(JSON.stringify(object));
        for (const key of [
          "type",
          "subtype",
          "uuid",
          "parentUuid",
          "timestamp",
          "agentId",
          "cwd",
          "version",
        ] as const) {
          expect(line.text(key), key).toBe(object[key]);
        }
        for (const key of ["isSidechain", "isMeta", "isCompactSummary"] as const) {
          expect(line.isTrue(key), key).toBe(object[key] === true);
        }
        for (const key of [
          "toolUseResult",
          "compactMetadata",
          "microcompactMetadata",
          "replacements",
          "message",
        ] as const) {
          expect(line.parse(key), key).toEqual(object[key]);
        }
        const { id, content } = (object["message"] ?? { id: undefined, content: [] }) as {
          id?: string;
          content: unknown[];
        };
        expect(stringOf(line.bytes, line.message, "id")).toBe(id);
        expect(line.blockCount).toBe(content.filter(block => !Array.isArray(block)).length);
      }),
      { numRuns: 500 },
    );
  });
});
