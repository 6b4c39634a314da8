import "./timeline.css";

export { Timeline } from "./Timeline.js";
export type { TimelineHandle, TimelineInput, TimelineProps } from "./types.js";
