import { describe, expect, it } from "vitest";
import { messagesOf } from "../../../src/mod/modEvents.js";

const REMINDER = "<system-reminder>\nBe brief.\n</system-reminder>";

/** The text of a result as the list of messages gives it. */
function listed(text: string): string | undefined {
  return messagesOf([{ role: "user", toolUses: [{ tool_use_id: "t1", tool: "Read", text }] }])[0]?.calls[0]?.text;
}

describe("a listed result", () => {
  it("is read without the reminder at its end, and only without that one", () => {
    expect(listed(`a\n\n${REMINDER}\n `)).toBe("a");
    expect(listed(`a\n${REMINDER}\n${REMINDER}`)).toBe(`a\n${REMINDER}`);
    for (const text of ["", "a\n", REMINDER, `a${REMINDER}`, `a\n${REMINDER}b`, "a\n</system-reminder>"]) {
      expect(listed(text)).toBe(text);
    }
  });

  it("may have any number of line breaks", () => {
    const breaks = "\n".repeat(1_000_000);
    expect(listed(`a${breaks}${REMINDER}`)).toBe("a");
    expect(listed(`a${breaks}</system-reminder>`)).toBe(`a${breaks}</system-reminder>`);
    expect(listed(`a\n<system-reminder>${breaks}</system-reminder>`)).toBe("a");
  });
});
