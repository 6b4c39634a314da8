export function writeDeclarations(project: string, file: string): Promise<void>;
export function collected(entry: string, read: (path: string) => Promise<string>): Promise<string>;
