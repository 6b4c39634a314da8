import { Calibrator, type SavedCalibrator } from "./calibration.js";
import { LineIndex, type SavedLineIndex } from "./lineIndex.js";

/** A context's state as plain data. */
export interface SavedContext {
  readonly id: string;
  readonly calibrator: SavedCalibrator;
  readonly results: ReadonlySet<string>;
  readonly lineOfUuid: SavedLineIndex;
  readonly lastAssistantLine: number;
  readonly messageId: string | undefined;
  readonly usageKnown: boolean;
}

/** What one model instance sees of the file: the main conversation or one subagent. */
export class LogContext {
  readonly id: string;
  readonly calibrator: Calibrator;
  /** Ids of the results seen: a copy of a line is not a second result. */
  readonly results: Set<string>;
  /** Any line may be the parent to which a rewind goes back. */
  readonly lineOfUuid: LineIndex;
  lastAssistantLine = 0;
  /** The API message whose lines are coming in, and whether its usage has been told. */
  messageId: string | undefined;
  usageKnown = false;

  constructor(id: string, state?: SavedContext) {
    this.id = id;
    this.calibrator = new Calibrator(state?.calibrator);
    this.results = new Set(state?.results);
    this.lineOfUuid = new LineIndex(state?.lineOfUuid);
    if (state === undefined) return;
    this.lastAssistantLine = state.lastAssistantLine;
    this.messageId = state.messageId;
    this.usageKnown = state.usageKnown;
  }

  get state(): SavedContext {
    const { id, calibrator, results, lineOfUuid, lastAssistantLine, messageId, usageKnown } = this;
    return {
      id,
      calibrator: calibrator.state,
      results,
      lineOfUuid: lineOfUuid.state,
      lastAssistantLine,
      messageId,
      usageKnown,
    };
  }
}
