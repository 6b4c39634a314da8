import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../src/dedup/fingerprint.js";

describe("a fingerprint", () => {
  it("is the first 128 bits of SHA-256 in 32 lower-case hexadecimal digits", () => {
    expect(fingerprint("pipeline 12345 status=success duration=120s")).toBe("cd37682c96027da74ab58d66d2427492");
    // The published test vectors of SHA-256, cut to 16 bytes.
    expect(fingerprint("")).toBe("e3b0c44298fc1c149afbf4c8996fb924");
    expect(fingerprint("abc")).toBe("ba7816bf8f01cfea414140de5dae2223");
  });

  it("is the same for the same text every time", () => {
    expect(fingerprint("Grüße → 日本語 🎉")).toBe(fingerprint("Grüße → 日本語 🎉"));
  });

  it.each([
    ["a trailing newline", "text", "text\n"],
    ["a leading blank", "text", " text"],
    ["Windows line ends", "a\nb", "a\r\nb"],
    ["upper case", "text", "Text"],
    ["a composed and a decomposed accent", "\u00e9", "e\u0301"],
    ["a byte order mark", "text", "\ufefftext"],
  ])("distinguishes %s: nothing is normalised", (_, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });
});
