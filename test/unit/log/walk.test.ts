import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../../src/log/bytes.js";
import { Walk } from "../../../src/log/walk.js";

/** The members as `key=value`, spelled as they stand in the text; a list's values alone; or "malformed". */
function walked(text: string, start = 0, end?: number): string[] | "malformed" {
  const bytes = bytesOf(text);
  const walk = new Walk();
  walk.open(bytes, start, end ?? bytes.length);
  const found: string[] = [];
  while (walk.next()) {
    const key = bytes[start] === 0x7b ? `${textOf(bytes, walk.keyStart, walk.keyEnd)}=` : "";
    found.push(key + textOf(bytes, walk.valueStart, walk.skip()));
  }
  return walk.isWhole() ? found : "malformed";
}

describe("walking the members of an object", () => {
  it.each([
    ["no members", "{ \n}", []],
    ["numbers and words", '{"a":-1.5e+3,"b":true,"c":false,"d":null}', ["a=-1.5e+3", "b=true", "c=false", "d=null"]],
    ["blanks everywhere", '{ "a" : 1 ,\t"b"\r\n: [ ] } ', ["a=1", "b=[ ]"]],
    ["a nested object", '{"a":{"b":{"c":"}"}},"d":1}', ['a={"b":{"c":"}"}}', "d=1"]],
    ["a nested list", '{"a":[[1,{"b":"]"}],[]],"d":1}', ['a=[[1,{"b":"]"}],[]]', "d=1"]],
    ["escaped quotes", '{"a\\"b":"c\\"d\\\\","e":1}', ['a\\"b="c\\"d\\\\"', "e=1"]],
    ["backslashes before a quote", '{"a":"\\\\\\\\","b":"\\\\\\""}', ['a="\\\\\\\\"', 'b="\\\\\\""']],
    ["empty names and values", '{"":""}', ['=""']],
    ["the same name twice", '{"a":1,"a":2}', ["a=1", "a=2"]],
    ["many bytes a character", '{"日":"🎉é"}', ['日="🎉é"']],
    ["the values of a list", '[1,"a,]",[2],{"b":[3]}, null ]', ["1", '"a,]"', "[2]", '{"b":[3]}', "null"]],
  ])("finds %s", (_, text, members) => {
    expect(walked(text)).toEqual(members);
  });

  it("finds the end of strings of any length, with backslashes at any place", () => {
    for (let length = 0; length < 70; length++) {
      for (const tail of ["", "\\\\", '\\"', '\\\\\\"', "\\\\\\\\"]) {
        const value = `"${"x".repeat(length)}${tail}"`;
        expect(walked(`{"k":${value},"l":[${value}]}`)).toEqual([`k=${value}`, `l=[${value}]`]);
      }
    }
  });

  it("looks only at its own part of the bytes", () => {
    const text = 'xx{"a":1}{"b":2}';
    expect(walked(text, 2, 9)).toEqual(["a=1"]);
    expect(walked(text, 9, 16)).toEqual(["b=2"]);
    expect(walked(text, 2, 8)).toBe("malformed");
    expect(walked('{"a":"b"}', 0, 7)).toBe("malformed");
  });

  it("lets another walk go through a value and goes on behind it", () => {
    const bytes = bytesOf('{"a":{"x":1,"y":[2]},"b":3}');
    const [outer, inner] = [new Walk(), new Walk()];
    outer.open(bytes, 0, bytes.length);
    expect(outer.next()).toBe(true);
    inner.open(bytes, outer.valueStart, bytes.length);
    const keys: string[] = [];
    while (inner.next()) keys.push(textOf(bytes, inner.keyStart, inner.keyEnd));
    expect(keys).toEqual(["x", "y"]);
    expect(textOf(bytes, outer.valueStart, outer.skipTo(inner))).toBe('{"x":1,"y":[2]}');
    expect(outer.next()).toBe(true);
    expect(textOf(bytes, outer.keyStart, outer.keyEnd)).toBe("b");
    expect(outer.next()).toBe(false);
    expect(outer.isWhole()).toBe(true);
  });

  it("can start again after a malformed text", () => {
    const [torn, good] = [bytesOf('{"a"'), bytesOf('{"b":1}')];
    const walk = new Walk();
    walk.open(torn, 0, torn.length);
    expect(walk.next()).toBe(false);
    expect(walk.malformed).toBe(true);
    walk.open(good, 0, good.length);
    expect(walk.next()).toBe(true);
    expect(walk.next()).toBe(false);
    expect(walk.isWhole()).toBe(true);
  });
});

const MALFORMED = [
  ...[
    "",
    "1",
    '"a"',
    "null",
    "{",
    "}",
    "[",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    "[1,",
    "[1 2]",
  ],
  ...['{"a":1 "b":2}', '{"a":1}}', '{"a":1} x', '{"a":"b}', '{"a":[1}', "{a:1}", "{'a':1}", '{"a":}', '{,"a":1}'],
  ...['{"a":1,,"b":2}', '{"a":"b""c":1}', "\ufeff{}", '{"a":"\\"}', '{"a":{"b":1}', "\u0000\u0001\u0002", "[1]]"],
];

describe("a text that is no whole object or list is malformed", () => {
  it.each(MALFORMED)("%j", text => {
    expect(walked(text)).toBe("malformed");
  });
});

const anyObject = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }), { maxKeys: 8 });

describe("for any object", () => {
  it("the members are exactly its keys, and each span is the JSON of its value", () => {
    fc.assert(
      fc.property(anyObject, fc.constantFrom(0, 1, "\t"), (object, indent) => {
        const bytes = bytesOf(JSON.stringify(object, null, indent));
        const walk = new Walk();
        walk.open(bytes, 0, bytes.length);
        const keys: string[] = [];
        while (walk.next()) {
          const key = JSON.parse(`"${textOf(bytes, walk.keyStart, walk.keyEnd)}"`) as string;
          keys.push(key);
          const value: unknown = JSON.parse(textOf(bytes, walk.valueStart, walk.skip()));
          expect(value).toEqual(JSON.parse(JSON.stringify(object[key])));
        }
        expect(walk.isWhole()).toBe(true);
        expect(keys.sort()).toEqual(Object.keys(object).sort());
      }),
      { numRuns: 500 },
    );
  });

  it("a text cut short or with flipped bytes never throws, and the walk never leaves its own bytes", () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(anyObject, fc.nat(), flips, fc.boolean(), (object, cut, changes, skips) => {
        const bytes = bytesOf(JSON.stringify(object));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const end = cut % (bytes.length + 1);
        const walk = new Walk();
        walk.open(bytes, 0, end);
        let last = 0;
        while (walk.next()) {
          expect(walk.valueStart).toBeGreaterThan(last);
          expect(walk.valueStart).toBeLessThan(end);
          if (skips) expect(walk.skip()).toBeLessThanOrEqual(end);
          last = walk.valueStart;
        }
        if (changes.length === 0 && end < bytes.length) expect(walk.isWhole()).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});
