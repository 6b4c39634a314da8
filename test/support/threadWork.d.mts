/** CPU time of the main thread so far, in milliseconds; NaN if the system does not report it. */
export function worked(): number;

export class ThreadWork {
  start(): void;
  take(): Promise<{ readonly max: number; readonly p99: number; readonly longestWork: number }>;
  stop(): void;
}
