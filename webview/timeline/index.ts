import "./timeline.css";

export { type TimelineStrings, timelineStrings } from "./strings.js";
export { Timeline } from "./Timeline.js";
export type { TimelineHandle, TimelineInput, TimelineProps } from "./types.js";
