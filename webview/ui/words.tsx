import type { VNode } from "preact";

/** A line that is cut between words if it does not fit: CSS cuts a box as a whole, but text anywhere. */
export function Words({ of }: { readonly of: string }): VNode {
  return (
    <>
      {of.split(" ").map((word, index) => (
        <span key={index}>
          {index > 0 && " "}
          <span class="word">{word}</span>
        </span>
      ))}
    </>
  );
}
