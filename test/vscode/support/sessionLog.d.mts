export function body(name: string, lines?: number): string;

export class SessionLog {
  readonly file: string;
  readonly sessionId: string;
  readonly cwd: string;
  constructor(file: string, options?: { sessionId?: string; cwd?: string; title?: string });
  call(name: string, input: unknown, result: string): number;
  read(path: string, result: string): number;
  compact(): void;
}
