import { Calibrator, type SavedCalibrator } from "./calibration.js";
import { type LineLookup, ParentLinks, type SavedLinks } from "./parentLinks.js";

/** The state of a context, as plain data. */
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

/** What one model instance sees: the main conversation or one subagent. */
export class LogContext {
  readonly id: string;
  readonly calibrator: Calibrator;
  /** The ids of the results so far: a copy of a line is not a second result. */
  readonly results: Set<string>;
  /** Any line may be the parent of a later one. */
  readonly links: ParentLinks;
  lastAssistantLine = 0;
  /** There has been an assistant line since the last compaction. */
  isAnswered = false;
  /** The API message whose lines are being read, and whether its usage and cleared results have been seen. */
  messageId: string | undefined;
  usageKnown = false;
  editsKnown = false;

  constructor(id: string, state?: SavedContext, lookUp?: LineLookup) {
    this.id = id;
    this.calibrator = new Calibrator(state?.calibrator);
    this.results = new Set(state?.results);
    this.links = new ParentLinks(state?.links, lookUp);
    if (state === undefined) return;
    this.lastAssistantLine = state.lastAssistantLine;
    this.isAnswered = state.isAnswered;
    this.messageId = state.messageId;
    this.usageKnown = state.usageKnown;
    this.editsKnown = state.editsKnown;
  }

  /** `line`: limits the parent chain to this line and later ones. */
  stateSince(line: number): SavedContext {
    const { id, results, lastAssistantLine, isAnswered, messageId, usageKnown, editsKnown } = this;
    return {
      id,
      calibrator: this.calibrator.state,
      results,
      links: this.links.since(line),
      lastAssistantLine,
      isAnswered,
      messageId,
      usageKnown,
      editsKnown,
    };
  }
}
