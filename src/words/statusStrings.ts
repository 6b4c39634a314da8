/** Texts of the status bar and of Claude Code's status line, whose program contains no others: see strings.ts. */
export const statusStrings = {
  repeats: "{share} repeats",
  saved: "saved {saved}",
  context: "{used} tokens in the context",
  contextOf: "{used} of {window} tokens in the context",
  cachedUntil: "The prompt is cached until {time}",
  couldSave: "{saved} ({share} of tool results) repeat what the model already has",
  liveSaved: "Live hints saved {saved}",
};
