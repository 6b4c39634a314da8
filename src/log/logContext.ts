import { Calibrator, type SavedCalibrator } from "./calibration.js";
import { type LineLookup, Links, type SavedLinks } from "./parentLinks.js";

/** A context's state as plain data. */
export interface SavedContext {
  readonly id: string;
  readonly calibrator: SavedCalibrator;
  readonly results: ReadonlySet<string>;
  readonly links: SavedLinks;
  readonly lastAssistantLine: number;
  readonly isAnswered: boolean;
  readonly messageId: string | undefined;
  readonly usageKnown: boolean;
  readonly editsKnown: boolean;
}

/** What one model instance sees of the file: the main conversation or one subagent. */
export class LogContext {
  readonly id: string;
  readonly calibrator: Calibrator;
  /** Ids of the results seen: a copy of a line is not a second result. */
  readonly results: Set<string>;
  /** Any line may be the parent of a later one. */
  readonly links: Links;
  lastAssistantLine = 0;
  /** There is an assistant line since the last compaction. */
  isAnswered = false;
  /** The API message whose lines are coming in, and whether its usage, and what it cleared, have been told. */
  messageId: string | undefined;
  usageKnown = false;
  editsKnown = false;

  constructor(id: string, state?: SavedContext, lookUp?: LineLookup) {
    this.id = id;
    this.calibrator = new Calibrator(state?.calibrator);
    this.results = new Set(state?.results);
    this.links = new Links(state?.links, lookUp);
    if (state === undefined) return;
    this.lastAssistantLine = state.lastAssistantLine;
    this.isAnswered = state.isAnswered;
    this.messageId = state.messageId;
    this.usageKnown = state.usageKnown;
    this.editsKnown = state.editsKnown;
  }

  get state(): SavedContext {
    const { id, results, lastAssistantLine, isAnswered, messageId, usageKnown, editsKnown } = this;
    return {
      id,
      calibrator: this.calibrator.state,
      results,
      links: this.links.state,
      lastAssistantLine,
      isAnswered,
      messageId,
      usageKnown,
      editsKnown,
    };
  }
}
