/** The mod's replacement for Node's byte functions counts and reads as Node does. */
import { describe, expect, it } from "vitest";
import * as node from "../../../src/log/bytes.js";
import * as plain from "../../../src/mod/plainBytes.js";

const TEXTS = [
  "",
  "plain",
  "line\nline\n",
  "äöü → ✓",
  "a😀b",
  "\ud83d",
  "\ude00x",
  "x\ud83dx\ude00",
  "\ud83d\ud83d\ude00",
  "\uffff\u0800\u07ff\u0080",
];

describe("bytes without Node", () => {
  it.each(TEXTS)("count %j as Node does", text => {
    expect(plain.utf8Length(text)).toBe(node.utf8Length(text));
  });

  it.each(TEXTS)("read %j as Node does, from anywhere and as far as there is room", text => {
    for (let from = 0; from <= text.length; from++) {
      for (const max of [1, 3, 64]) {
        const [ours, theirs] = [new plain.CharCodes(max), new node.CharCodes(max)];
        const [length, expected] = [ours.load(text, from), theirs.load(text, from)];
        expect(length).toBe(expected);
        expect(ours.codes.slice(0, length + 2)).toEqual(theirs.codes.slice(0, length + 2));
      }
    }
  });
});
