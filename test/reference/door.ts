/** What settings hooks can replace (docs/rules.md "Doors"), for the naive reference replay. */
import { field, list } from "./lines";
import { parsed } from "./runs";

/** The lines that Claude Code numbers itself, from `start` to before `end`. */
export interface Numbered {
  start: number;
  end: number;
}

/** Nothing, the text itself, or its numbered lines. */
export function hookedIn(
  tool: string,
  body: string,
  response: unknown,
  { shown, asked }: { shown: { arrow: number; tabs: number }; asked: { line: number } },
  line: number,
): "nothing" | "text" | Numbered {
  if (!isKnown(tool, response)) return "nothing";
  if (tool !== "Read") return "text";
  const numbered = numberedIn(body);
  if (numbered === undefined) return "nothing";
  // The first file of either form is left alone: until then it is not known what follows the numbers.
  const lines = body.split("\n").slice(numbered.start, numbered.end);
  const forms: ("arrow" | "tabs")[] = [];
  if (lines[0]?.includes("→") && parsed(lines[0]).style === "arrow") forms.push("arrow");
  if (body.split("\n").some(one => /^\d{1,9}\t\t/.test(one))) forms.push("tabs");
  const isNews = forms.some(form => shown[form] > asked.line);
  for (const form of forms) shown[form] = Math.min(shown[form], line);
  return isNews ? "nothing" : numbered;
}

/** At most 16 lines may come before or after them. */
function numberedIn(body: string): Numbered | undefined {
  const numbered = body.split("\n").map(line => parsed(line).number !== undefined);
  const [start, end] = [numbered.indexOf(true), numbered.lastIndexOf(true) + 1];
  return start < 0 || start > 16 || numbered.length - end > 16 ? undefined : { start, end };
}

/** A text without what Claude Code adds around numbered lines. */
export function numberedText(body: string): string {
  const { start, end } = numberedIn(body) ?? {};
  return body.split("\n").slice(start, end).join("\n");
}

function isKnown(tool: string, response: unknown): boolean {
  const isText = (value: unknown) => typeof value === "string";
  if (response === undefined) return /^(Bash|PowerShell|Read|mcp__.*)$/s.test(tool);
  if (tool.startsWith("mcp__")) {
    const blocks = list({ response }, "response");
    const isTexts = blocks.every(block => field(block, "type") === "text" && isText(field(block, "text")));
    return isText(response) || (blocks.length > 0 && isTexts);
  }
  if (tool === "Bash" || tool === "PowerShell") {
    const members = ["stdout", "stderr", "noOutputExpected", "returnCodeInterpretation", "gitOperation"];
    return isText(field(response, "stdout")) && isText(field(response, "stderr")) && hasOnly(response, members);
  }
  if (tool === "Read") {
    const file = field(response, "file");
    const members = ["filePath", "content", "numLines", "startLine", "totalLines"];
    if (field(response, "type") !== "text" || !hasOnly(response, ["type", "file"]) || !hasOnly(file, members))
      return false;
    return (
      isText(field(file, "content")) && field(file, "content") !== "" && Number.isSafeInteger(field(file, "startLine"))
    );
  }
  const members = ["mode", "numFiles", "filenames", "content", "numLines", "totalLines"];
  const content = field(response, "content");
  return (
    tool === "Grep" &&
    field(response, "mode") === "content" &&
    isText(content) &&
    content !== "" &&
    hasOnly(response, members)
  );
}

function hasOnly(value: unknown, names: string[]): boolean {
  const isEmpty = (member: unknown) => [undefined, null, false, "", 0].includes(member as undefined);
  return Object.entries(Object(value)).every(([name, member]) => names.includes(name) || isEmpty(member));
}
