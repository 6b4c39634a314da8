import { describe, expect, it } from "vitest";
import { mayBeNear, nearDelta } from "../../../src/dedup/near.js";
import { HeldText } from "../../../src/log/heldText.js";

/** An object of well over 500 bytes around the given members. */
function body(members: Record<string, unknown>): string {
  return JSON.stringify({ ...members, log: "x".repeat(500) });
}

/** The same, for members whose spelling matters. */
function spelled(members: string): string {
  return `{${members},"log":"${"x".repeat(500)}"}`;
}

const shown = (old: string, fresh: string) =>
  nearDelta(old, fresh)?.map(({ key, from, to }) => `${key}: ${from}→${to}`);

describe("a near-reference is found", () => {
  it("within other limits, if they are given", () => {
    const [old, fresh] = [{ status: "pending" }, { status: "success" }].map(one => JSON.stringify(one));
    const delta = [{ key: "status", from: "pending", to: "success" }];
    expect(nearDelta(old ?? "", fresh ?? "")).toBeUndefined();
    expect(nearDelta(old ?? "", fresh ?? "", { minBodyBytes: 20 })).toEqual(delta);
    // ", status: pending→success" has 27 bytes.
    expect(nearDelta(old ?? "", fresh ?? "", { minBodyBytes: 20, maxDeltaBytes: 27 })).toEqual(delta);
    expect(nearDelta(old ?? "", fresh ?? "", { minBodyBytes: 20, maxDeltaBytes: 26 })).toBeUndefined();
  });

  it("if a status and a duration changed: two changes of 46 bytes together", () => {
    const delta = nearDelta(
      body({ id: 7, status: "pending", duration: 12 }),
      body({ id: 7, status: "success", duration: 34 }),
    );
    expect(delta).toEqual([
      { key: "status", from: "pending", to: "success" },
      { key: "duration", from: "12", to: "34" },
    ]);
    const payload = (delta ?? []).map(({ key, from, to }) => `, ${key}: ${from}→${to}`).join("");
    expect(Buffer.byteLength(payload)).toBe(46);
  });

  it("in the order of the new text's keys", () => {
    expect(shown(body({ a: 1, b: 1 }), body({ b: 2, a: 2 }))).toEqual(["b: 1→2", "a: 1→2"]);
    expect(shown(spelled('"b":1,"1":1'), spelled('"b":2,"1":2'))).toEqual(["b: 1→2", "1: 1→2"]);
  });

  it("whatever white space is around the objects", () => {
    expect(shown(` \n${body({ k: 1 })}`, `${body({ k: 2 })}\n`)).toEqual(["k: 1→2"]);
  });

  it("if the old text is short: only the new one's size counts", () => {
    expect(shown('{"k":1,"log":""}', `{"k":2,"log":""${" ".repeat(500)}}`)).toEqual(["k: 1→2"]);
  });

  it.each([
    ["null is the empty text", "null", '"a"', "k: →a"],
    ['null and "" look alike but differ', "null", '""', "k: →"],
    ["true and false are words", "true", "false", "k: true→false"],
    ["a number and the same digits as a string differ", "1", '"1"', "k: 1→1"],
    ["1 and 1.0 differ", "1", "1.0", "k: 1→1.0"],
    ["0 and -0 differ", "0", "-0", "k: 0→-0"],
    ["1e2 and 100 differ", "1e2", "100", "k: 1e2→100"],
    [
      "big integers keep all their digits",
      "9007199254740993",
      "9007199254740992",
      "k: 9007199254740993→9007199254740992",
    ],
    ["escapes are what they stand for", '"\\u0041"', '"B"', "k: A→B"],
    ["a string with NUL and digits is no number", '"\\u00001"', "1", "k: \u00001→1"],
    ["a string that looks like our own mark is no number", '"n1"', "1", "k: n1→1"],
    ["exponents are spelled as they are", "1E5", "1e+5", "k: 1E5→1e+5"],
    ["digits in a string are no number", '"v1.0"', '"v1.1"', "k: v1.0→v1.1"],
  ])("%s", (_, before, after, text) => {
    expect(shown(spelled(`"k":${before}`), spelled(`"k":${after}`))).toEqual([text]);
  });

  it("if nested values stay the same, in whatever order their keys are", () => {
    expect(shown(spelled('"n":{"a":[1,2],"b":2},"k":1'), spelled('"n":{"b":2,"a":[1,2]},"k":2'))).toEqual(["k: 1→2"]);
  });

  it("if keys have the names of built-in properties", () => {
    expect(shown(spelled('"__proto__":1,"constructor":1'), spelled('"__proto__":2,"constructor":1'))).toEqual([
      "__proto__: 1→2",
    ]);
  });

  it("up to exactly 50 bytes of changes and not at 51", () => {
    // ", k: " is 5 bytes and the arrow 3: 42 are left for both values.
    expect(shown(body({ k: "a".repeat(21) }), body({ k: "b".repeat(21) }))).toHaveLength(1);
    expect(shown(body({ k: "a".repeat(21) }), body({ k: "b".repeat(22) }))).toBeUndefined();
    // Bytes, not characters: "ä" has two.
    expect(shown(body({ k: "a".repeat(20) }), body({ k: "ä".repeat(11) }))).toHaveLength(1);
    expect(shown(body({ k: "a".repeat(21) }), body({ k: "ä".repeat(11) }))).toBeUndefined();
    // Two changes share the 50 bytes: 8 + 18 and 8 + 16.
    const two = (a: string, b: string) => body({ k: a, l: b });
    expect(shown(two("a".repeat(9), "a".repeat(8)), two("b".repeat(9), "b".repeat(8)))).toHaveLength(2);
    expect(shown(two("a".repeat(9), "a".repeat(8)), two("b".repeat(9), "b".repeat(9)))).toBeUndefined();
  });

  it("from exactly 500 bytes of new text on and not at 499", () => {
    // {"k":1,"log":""} alone has 16 bytes.
    const sized = (bytes: number, k: number) => `{"k":${k},"log":"${"x".repeat(bytes - 16)}"}`;
    expect(shown(sized(500, 1), sized(500, 2))).toEqual(["k: 1→2"]);
    expect(shown(sized(499, 1), sized(499, 2))).toBeUndefined();
  });
});

describe("no near-reference is found", () => {
  it.each([
    ["where nothing changed", body({ k: 1 }), body({ k: 1 })],
    ["where only the order of the keys changed", body({ a: 1, b: 2 }), body({ b: 2, a: 1 })],
    ["where both texts are short", '{"k":"a"}', '{"k":"b"}'],
    ["where a key was renamed", body({ k: 1 }), body({ l: 1 })],
    ["where a key was added", body({ k: 1 }), body({ k: 2, l: 1 })],
    ["where a key is gone", body({ k: 1, l: 1 }), body({ k: 2 })],
    ["where a nested object changed", body({ n: { a: 1 }, k: 1 }), body({ n: { a: 2 }, k: 1 })],
    ["where a nested list changed", body({ n: [1, 2] }), body({ n: [2, 1] })],
    ["where a nested number is spelled otherwise", spelled('"n":[1]'), spelled('"n":[1.0]')],
    ["where a scalar became an object", body({ n: 1 }), body({ n: {} })],
    ["where a list became a scalar", body({ n: [] }), body({ n: "" })],
    ["where a list became an object", body({ n: [], k: 1 }), body({ n: {}, k: 1 })],
    ["where one long value changed", body({ k: "a".repeat(80) }), body({ k: "b".repeat(80) })],
    ["where the texts are lists", `[${body({ k: 1 })}]`, `[${body({ k: 2 })}]`],
    ["where the texts are strings", JSON.stringify("a".repeat(600)), JSON.stringify("b".repeat(600))],
    ["where the new text is cut off", body({ k: 1 }), body({ k: 2 }).slice(0, -1)],
    ["where the old text is no JSON", "k: 1", body({ k: 2 })],
    ["where something follows the object", body({ k: 1 }), `${body({ k: 2 })} ok`],
    ["where keys are bare numbers", spelled('1:1,"k":1'), spelled('1:1,"k":2')],
    ["where a key is there twice", spelled('"k":1,"k":5'), spelled('"k":2,"k":6')],
    ["where a nested key is there twice", spelled('"n":{"a":1,"a":2},"k":1'), spelled('"n":{"a":9,"a":2},"k":2')],
    ["where a nested string became the number it looks like", spelled('"n":["n1"],"k":1'), spelled('"n":[1],"k":2')],
    ["where a nested string with NUL became a number", spelled('"n":["\\u00001"],"k":1'), spelled('"n":[1],"k":2')],
    ["where a number has a leading zero", spelled('"k":01'), spelled('"k":02')],
  ])("%s", (_, old, fresh) => {
    expect(nearDelta(old, fresh)).toBeUndefined();
  });
});

describe("a text that is designed to break the comparison", () => {
  const around = (member: string, k: number) => `{"k":${k},"hostile":${member}}`;
  const MILLION = 1_000_000;

  it.each([
    ["a string of 10 MB", `"${"x".repeat(10 * MILLION)}"`],
    ["a string of 10 MB of escapes", `"${"\\n".repeat(5 * MILLION)}"`],
    ["a string of 10 MB of quotes", `"${'\\"'.repeat(5 * MILLION)}"`],
    ["a number of a million digits", `1${"0".repeat(MILLION)}`],
    ["a million numbers", `[${"1,".repeat(MILLION)}1]`],
    ["lists nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000)],
    ["objects nested 100,000 deep", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ])("is compared like any other: %s", (_, member) => {
    expect(shown(around(member, 1), around(member, 2))).toEqual(["k: 1→2"]);
    expect(shown(around(member, 1), around(member, 1))).toBeUndefined();
    expect(shown(around(member, 1), `${around(member, 2).slice(0, -1)},`)).toBeUndefined();
  });

  it("is distinguished if it differs at its deepest place", () => {
    const deep = (value: number) => around('{"a":'.repeat(50_000) + value + "}".repeat(50_000), 1);
    expect(nearDelta(deep(1), deep(2))).toBeUndefined();
  });
});

/** From which no string is created. */
class Bytes extends HeldText {
  readonly length: number;
  readonly utf8Length: number;
  readonly #bytes: Uint8Array;
  isSpelled = false;

  constructor(text: string) {
    super();
    this.#bytes = Buffer.from(text);
    this.length = text.length;
    this.utf8Length = this.#bytes.length;
  }

  utf8(): Uint8Array {
    return this.#bytes;
  }

  includes(part: string): boolean {
    return this.toString().includes(part);
  }

  toString(): string {
    this.isSpelled = true;
    return Buffer.from(this.#bytes).toString();
  }

  cut(): undefined {
    return undefined;
  }
}

describe("a text that the reader holds", () => {
  const space = "\t\n\v\f\r ";
  const texts = [
    "",
    "{",
    `${space}{"a":1}`,
    `${space}[`,
    space,
    "\u00a0\u2028\ufeff{",
    "\u00a0[",
    "é{",
    "\u0000{",
    "\u001f{",
  ];

  it.each(texts.map(text => [JSON.stringify(text), text]))("is told from others like a string: %s", (_, text) => {
    expect(mayBeNear(new Bytes(text))).toBe(mayBeNear(text));
  });

  it("is not decoded just to see that it is something else", () => {
    const texts = ["     1→line", "no object", '{"status":"done"}'].map(text => new Bytes(text));
    expect(texts.map(mayBeNear)).toEqual([false, false, true]);
    expect(texts.filter(({ isSpelled }) => isSpelled)).toEqual([]);
  });
});
