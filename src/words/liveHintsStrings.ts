/** Turning live hints on and off, for VS Code, the page and the terminal: see strings.ts. */
export const liveHintsStrings = {
  liveHints: {
    on: "Turn on live hints?",
    off: "Turn off live hints?",
    whatTheyDo:
      "When a tool returns text that the model already has, the model gets one line that says where it is instead. It can always ask for the text again.",
    wouldHaveSaved:
      "In your {sessions} this would have saved {saved} ({share} of tool results): {whole} in results that repeat as a whole, {lines} in repeated lines.",
    where: "Where",
    scopes: {
      local: "This project, only for you",
      project: "This project, for everyone who works on it",
      user: "All your projects",
    },
    shared: "This file is shared with everyone who works on the project.",
    changes: "This changes Claude Code's settings: {file}",
    showChange: "Show change",
    turnOn: "Turn on",
    turnOff: "Turn off",
    cancel: "Cancel",
    undo: "Undo",
    undone: "Claude Code's settings are back to what they were",
    isOn: "Live hints are on: {file}. They take effect in new sessions.",
    isOff: "Live hints are off: {file}.",
    throughPlugin: "Live hints are on through the plugin {id}. To remove it, run: {command}",
    nowhere: "There is nothing to change: {why}",
    alreadyOn: "live hints are already on in every settings file that applies here.",
    alreadyOff: "live hints are already off in every settings file that applies here.",
    planning: "Reading Claude Code's settings…",
    cannotPlan: "Could not read Claude Code's settings",
    cannotChange: "Could not change Claude Code's settings",
  },
} as const;
