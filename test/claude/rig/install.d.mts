export const NEWEST: string;
export function ensureClaude(version?: string): Promise<string>;
