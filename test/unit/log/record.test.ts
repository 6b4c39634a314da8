import { describe, expect, it } from "vitest";
import { listOf, membersOf, recordOf, stringOf, stringsOf } from "../../../src/log/record.js";

describe("a line", () => {
  it("is an object, whatever is in it and around it", () => {
    expect(recordOf(' {"type":"user","x":[{}]}\r')).toEqual({ type: "user", x: [{}] });
    expect(recordOf('{"uuid":"a","uuid":"b"}')).toEqual({ uuid: "b" });
  });

  it.each(["", "   ", "null", "[]", '"text"', "5", "{", '{"type":"user"', '{"a":1}{"b":2}', '{"a":[1,,2]}', "\u0000"])(
    "is bad if it is %j",
    text => {
      expect(recordOf(text)).toBeUndefined();
    },
  );

  it("cannot change what other objects have", () => {
    expect(membersOf(recordOf('{"message":{"__proto__":{"content":"x"}}}')?.message)["content"]).toBeUndefined();
  });
});

describe("a member of unknown kind", () => {
  it("is what it should be, or nothing", () => {
    for (const value of [undefined, null, 5, true, "x", [1, "a"], { b: 1 }]) {
      expect(stringOf(value)).toBe(value === "x" ? "x" : undefined);
      expect(listOf(value)).toEqual(Array.isArray(value) ? [1, "a"] : []);
      expect(stringsOf(value)).toEqual(Array.isArray(value) ? ["a"] : []);
      expect(membersOf(value)).toEqual(typeof value === "object" && value && "b" in value ? { b: 1 } : {});
    }
  });
});
