/** The names that the manifest and the code share, except for settings. A test compares both sides. */

export const COMMANDS = {
  openPanel: "dedup.openPanel",
  openInEditor: "dedup.openInEditor",
  goToReference: "dedup.goToReference",
  selectSession: "dedup.selectSession",
  followLive: "dedup.followLive",
  showTranscript: "dedup.showTranscript",
  openLogLine: "dedup.openLogLine",
  compare: "dedup.compare",
  exportReport: "dedup.exportReport",
  openSample: "dedup.openSample",
  turnLiveHintsOn: "dedup.turnLiveHintsOn",
  turnLiveHintsOff: "dedup.turnLiveHintsOff",
  startTrial: "dedup.startTrial",
  endTrial: "dedup.endTrial",
  showOutput: "dedup.showOutput",
} as const;

/** The argument of commands for calls when a key is pressed in a transcript: the call at the cursor. */
export const AT_CURSOR = "cursor";

/** The view in the bottom panel, and the container around it. */
export const VIEW_CONTAINER = "dedup";
export const VIEW = "dedup.panel";
/** The same page as an editor tab. */
export const EDITOR = "dedup.editor";

/** The settings are in `src/settings/table.ts`. */
export const SECTION = "dedup";

export const CONTEXT_KEYS = {
  /** A result is selected, in a page or in a transcript. */
  hasSelection: "dedup:hasSelection",
  /** Live hints are on for this window's project, or for all of the user's. */
  liveHintsOn: "dedup:liveHintsOn",
  /** They are on, or a settings file that has since been broken can be restored. */
  canTurnLiveHintsOff: "dedup:canTurnLiveHintsOff",
  /** They are on, and no trial is running. */
  canStartTrial: "dedup:canStartTrial",
  /** One is running, here or in another project. */
  canEndTrial: "dedup:canEndTrial",
} as const;

/** Virtual documents: transcripts, results side by side, log lines. */
export const SCHEME = "dedup";
export const TRANSCRIPT_LANGUAGE = "dedup-transcript";

export const STATUS_ITEM = "dedup.live";

/** Remembered for the workspace: the session that a page showed. */
export const MEMORY = { view: "dedup.looksAt.view", editor: "dedup.looksAt.editor" } as const;
