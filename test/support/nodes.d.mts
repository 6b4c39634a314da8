export function ensureNode(version: string): Promise<string>;
