export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly prints?: readonly RegExp[];
  readonly until?: RegExp;
  readonly needs?: "Chromium" | "git";
}

export const PROGRAMS: readonly Program[];
export const PARTS: Readonly<Record<string, string>>;
export const ELSEWHERE: Readonly<Record<string, string>>;
