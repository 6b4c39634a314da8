export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly prints?: readonly RegExp[];
  readonly until?: RegExp;
  readonly needs?: "Chromium" | "git";
}

export const PROGRAMS: readonly Program[];
export const ELSEWHERE: Readonly<Record<string, readonly [file: string, text: string]>>;
