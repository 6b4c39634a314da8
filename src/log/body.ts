/** What a tool result's `content` gives the model: its text, or null where it is not only text. */
export function bodyOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts: string[] = [];
  for (const block of content as unknown[]) {
    const part = block as { type?: unknown; text?: unknown } | null;
    if (part?.type !== "text" || typeof part.text !== "string") return null;
    texts.push(part.text);
  }
  return texts.join("\n");
}
