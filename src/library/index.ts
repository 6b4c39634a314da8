/**
 * The exports of `import … from "dedup-inspector"`: docs/library.md. They follow semantic versioning, and everything
 * else may change at any time; test/contract/library.test.ts lists them all.
 */

export { DedupCache, type Entry } from "../dedup/cache.js";
export type {
  BoundaryEvent,
  BypassEvent,
  BypassReason,
  ClearEvent,
  DedupEvent,
  DropEvent,
  EvictEvent,
  ForgoneReason,
  HitEvent,
  InvalidateEvent,
  MissEvent,
  MissReason,
  ReaskEvent,
  ResultEvent,
  RunReference,
} from "../dedup/events.js";
export { type Fingerprint, fingerprint } from "../dedup/fingerprint.js";
export {
  type HintSource,
  hintedId,
  hintWithin,
  isTooShort,
  renderHint,
  renderNearHint,
  type Verbosity,
} from "../dedup/hints.js";
export { NEAR_LIMITS, type NearDelta, type NearLimits, NearMatcher, nearDelta } from "../dedup/near.js";
export { applyAll } from "../dedup/passes/applyAll.js";
export {
  type BreakpointOptions,
  type Breakpoints,
  COMPACTABLE_TOOLS,
  cacheBreakpoints,
  validateCacheHit,
  wireMarks,
} from "../dedup/passes/cacheBreakpoints.js";
export { type CacheProjection, type MarkOptions, projectCacheMarks } from "../dedup/passes/cacheProjection.js";
export { collapseRepeatedCalls } from "../dedup/passes/collapseRepeatedCalls.js";
export { dedupToolOutputs, type OutputOptions } from "../dedup/passes/dedupToolOutputs.js";
export { mergeStats, NO_STATS, type PassResult, type PassStats } from "../dedup/passes/pass.js";
export type { PassRates, RewritePrice, Rewriting, Unpriced } from "../dedup/passes/price.js";
export { type PassName, type PassProjection, projectPasses } from "../dedup/passes/projections.js";
export { pruneLowEntropy } from "../dedup/passes/pruneLowEntropy.js";
export { pruneThinking } from "../dedup/passes/pruneThinking.js";
export { repairOrphans } from "../dedup/passes/repairOrphans.js";
export { snippet } from "../dedup/passes/snippet.js";
export { streamingTrim } from "../dedup/passes/streamingTrim.js";
export { compileInvalidation, DEFAULT_SETTINGS, type DedupSettings } from "../dedup/settings.js";
export type { Figures } from "../inspect/figures.js";
export type { PartitionPasses, PassesReport, PassReport } from "../inspect/passFigures.js";
export type { ContextReport, PartitionReport, Report, SessionReport } from "../inspect/report.js";
export { estimateTokens } from "../log/calibration.js";
export type { LiveList, LiveRequest, Message, Part } from "../log/conversation/message.js";
export { type ApiMessage, messagesFromApi } from "../log/conversation/messageParts.js";
export type {
  AnswerFact,
  BoundaryFact,
  BranchFact,
  CallFact,
  ClearFact,
  ExplanationFact,
  Fact,
  Place,
  RequestFact,
  ResultFact,
  RewindFact,
} from "../log/facts.js";
export type { LogHeader } from "../log/logHeader.js";
export { kindOfTool, pathOfCall, type ToolInput, type ToolKind } from "../log/tools.js";
export type { InvalidationMap, PriceTable } from "../settings/shapes.js";
export {
  ConversationReader,
  type LogChunk,
  type LoggedEvent,
  LogReader,
  type LogSink,
  type LogSource,
  Replay,
  type ReplayedLog,
  type ReplaySettings,
  type ReportSettings,
  replayLog,
} from "./logs.js";
