import { expect, it } from "vitest";
import { formatOfFile, REPORT_FORMATS, reportFile, toldProgress } from "../../../src/protocol/reportFormats.js";

it("a file's extension decides the format; JSON by default", () => {
  for (const format of REPORT_FORMATS) expect(formatOfFile(`/a.b/${reportFile(format)}`)).toBe(format);
  expect(formatOfFile("C:\\Users\\Ana\\R.HTM")).toBe("html");
  expect(formatOfFile("/a/notes.markdown")).toBe("markdown");
  expect(["/a/report", "/a.md/report", "/a/report.txt", ""].map(formatOfFile)).toEqual([
    "json",
    "json",
    "json",
    "json",
  ]);
});

it("progress is accepted in no other form", () => {
  expect(toldProgress({ bytesDone: 1, bytes: 2 })).toEqual({ bytesDone: 1, bytes: 2 });
  for (const other of [null, 1, "x", {}, { bytesDone: "1", bytes: 2 }]) expect(toldProgress(other)).toBeUndefined();
});
