import type { VNode } from "preact";
import { useFocusLeaving } from "../ui/hooks.js";
import { Button } from "../ui/kit.js";
import { fill, strings, visible } from "../words/pageText.js";

const MAX_PROBLEM = 300;

interface FailedProps {
  readonly what: string;
  readonly why: string;
  readonly onRetry: () => void;
}

/** In place of something that could not be fetched or calculated. */
export function Failed({ what, why, onRetry }: FailedProps): VNode {
  const line = useFocusLeaving<HTMLParagraphElement>();
  return (
    <p class="problem" ref={line}>
      <span class="problem-text">{fill(strings.app.failed, { what, why: visible(why, MAX_PROBLEM) })}</span>
      <Button label={strings.app.retry} onClick={onRetry} />
    </p>
  );
}
