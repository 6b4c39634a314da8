/** Lines over the limit: pictures contain nothing that is read from a log, so a line is read without them. */
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../../src/log/lineSplitter.js";
import { LogReader } from "../../../src/log/logReader.js";
import { PictureFilter } from "../../../src/log/pictureFilter.js";
import { logText, result } from "../../support/log.js";

const MEGABYTE = 1024 * 1024;
const picture = (bytes: number) => "iVBORw0KGgo/+AAA".repeat(Math.ceil(bytes / 16));

function filtered(text: string, pieceBytes: number): string {
  const filter = new PictureFilter();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = Buffer.from(bytes.subarray(at, at + pieceBytes));
    filter.push(piece, 0, piece.length);
    piece.fill(0x23);
  }
  expect(filter.length).toBe(filter.bytes().length);
  return filter.bytes().toString();
}

describe("a line without its pictures", () => {
  const long = picture(200_000);

  it.each([1000, 4096, 65_536, 65_537, 1_000_000])("is the same, cut into pieces of %i bytes", pieceBytes => {
    const line = (data: string) => `{"a":{"data":"${data}","b":1},"base64" : "${data}","c":["${long}"]}`;
    expect(filtered(line(long), pieceBytes)).toBe(line(""));
  });

  it("keeps short data, and strings that only look like a member", () => {
    const line = `{"data":"${picture(60_000)}","text":"${long}","x":"\\"data\\":","y":"${long}","data2":"${long}"}`;
    expect(filtered(line, 5000)).toBe(line);
  });

  it("keeps a text that is the word itself, and a list of texts", () => {
    const line = `["data","${long}",{"a":"data","b":"${long}"},"data"]`;
    expect(filtered(line, 5000)).toBe(line);
  });

  it("leaves out a picture with escapes, up to its own end", () => {
    expect(filtered(`{"data":"${long}\\"\\\\","text":"after"}`, 4096)).toBe('{"data":"","text":"after"}');
  });

  it("is read, however large its pictures are", () => {
    const image = { type: "image", source: { type: "base64", data: picture(20 * MEGABYTE) } };
    const line = result("t1", [image], { toolUseResult: { file: { base64: picture(20 * MEGABYTE) } } });
    const content = line["message"] as { content: unknown[] };
    content.content.push({ type: "tool_result", tool_use_id: "t2", content: "a text beside the picture" });
    const bodies: (string | undefined)[] = [];
    const reader = new LogReader((_, fact) => {
      if (fact.fact === "result") bodies.push(fact.body?.toString());
    });
    const log = Buffer.from(logText(line, result("t3", "the next line")));
    for (let at = 0; at < log.length; at += MEGABYTE) reader.push(log.subarray(at, at + MEGABYTE));
    expect(bodies).toEqual([undefined, "a text beside the picture", "the next line"]);
    expect(reader.header).toMatchObject({ badLines: 0, overlongLines: 0 });
    expect(reader.consumed).toBe(log.length);
  });

  it("counts as too long if it still is, and takes no more memory than the limit", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter(
      {
        line: (bytes, start, end, offset) => lines.push(`${offset}:${bytes.toString("utf8", start, end).length}`),
        overlong: offset => lines.push(`${offset}!`),
        failed: error => lines.push(String(error)),
      },
      { maxLineBytes: 100_000 },
    );
    const log = Buffer.from(`{"data":"${long}","text":"${long}"}\n{"data":"${long}"}\nshort\n`);
    for (let at = 0; at < log.length; at += 30_000) splitter.push(log.subarray(at, at + 30_000));
    const [second, third] = [log.indexOf(0x0a) + 1, log.lastIndexOf(0x0a, -2) + 1];
    expect(lines).toEqual(["0!", `${second}:11`, `${third}:5`]);
  });
});
