import { Calibrator, type SavedCalibrator } from "./calibration.js";

/** A context's state as plain data. */
export interface SavedContext {
  readonly id: string;
  readonly calibrator: SavedCalibrator;
  readonly results: ReadonlySet<string>;
  readonly lineOfUuid: ReadonlyMap<string, number>;
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
  readonly lineOfUuid: Map<string, number>;
  lastAssistantLine = 0;
  /** The API message whose lines are coming in, and whether its usage has been told. */
  messageId: string | undefined;
  usageKnown = false;

  constructor(id: string, state?: SavedContext) {
    this.id = id;
    this.calibrator = new Calibrator(state?.calibrator);
    this.results = new Set(state?.results);
    this.lineOfUuid = new Map(state?.lineOfUuid);
    if (state === undefined) return;
    this.lastAssistantLine = state.lastAssistantLine;
    this.messageId = state.messageId;
    this.usageKnown = state.usageKnown;
  }

  get state(): SavedContext {
    const { id, results, lineOfUuid, lastAssistantLine, messageId, usageKnown } = this;
    return { id, calibrator: this.calibrator.state, results, lineOfUuid, lastAssistantLine, messageId, usageKnown };
  }
}
