/** The lanes of the timeline, top to bottom: tools that do similar things share one. */
export const FAMILIES = ["read", "search", "bash", "edit", "mcp", "agent", "other"] as const;

export type Family = (typeof FAMILIES)[number];

const FAMILY_OF_TOOL: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["Read", "read"],
  ["Grep", "search"],
  ["Glob", "search"],
  ["LS", "search"],
  ["NotebookRead", "search"],
  ["ToolSearch", "search"],
  ["WebSearch", "search"],
  ["Bash", "bash"],
  ["BashOutput", "bash"],
  ["PowerShell", "bash"],
  ["Edit", "edit"],
  ["Write", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Agent", "agent"],
  ["Task", "agent"],
]);

export function familyOf(tool: string): Family {
  return FAMILY_OF_TOOL.get(tool) ?? (tool.startsWith("mcp__") ? "mcp" : "other");
}

export function familyCode(tool: string): number {
  return FAMILIES.indexOf(familyOf(tool));
}
