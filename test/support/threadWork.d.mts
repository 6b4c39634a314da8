export class ThreadWork {
  start(): void;
  take(): Promise<{ readonly max: number; readonly p99: number; readonly longestWork: number }>;
  stop(): void;
}
