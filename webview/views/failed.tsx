import type { VNode } from "preact";
import { useFocusLeaving } from "../ui/hooks.js";
import { Button } from "../ui/kit.js";
import { fill, strings, visible } from "../words/pageText.js";

const MAX_PROBLEM = 300;

interface FailedProps {
  readonly what: string;
  readonly why: string;
  readonly onRetry: () => void;
  /** Moves the focus on when the line goes away; to the list if missing. */
  readonly move?: () => void;
}

/** In place of something that could not be fetched or calculated. */
export function Failed({ what, why, onRetry, move }: FailedProps): VNode {
  const line = useFocusLeaving<HTMLParagraphElement>(move);
  return (
    <p class="problem" ref={line}>
      <span class="problem-text">{fill(strings.app.failed, { what, why: visible(why, MAX_PROBLEM) })}</span>
      <Button label={strings.app.retry} onClick={onRetry} />
    </p>
  );
}
