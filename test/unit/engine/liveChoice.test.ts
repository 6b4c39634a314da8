import { expect, it } from "vitest";
import { LiveChoice } from "../../../src/engine/liveChoice.js";

interface Session {
  readonly key: string;
  readonly live: boolean;
}

const live = (...keys: string[]): Session[] => keys.map(key => ({ key, live: true }));
const ended = (key: string): Session => ({ key, live: false });

it("the live session that is shown stays while several are written to, until one begins or continues after a silence", () => {
  const choice = new LiveChoice();
  const next = (shown: string | undefined, list: Session[]) => choice.next(list, shown)?.key;
  expect(next(undefined, live("a", "b"))).toBe("a");
  expect(next("a", live("b", "a"))).toBe("a");
  expect(next("a", live("c", "b", "a"))).toBe("c");
  // What is only found later, but is older, is no reason to change.
  expect(next("c", live("c", "d"))).toBe("c");
  expect(next("c", live("d", "c"))).toBe("c");
  expect(next("c", live("c"))).toBe("c");
  expect(next("c", live("d", "c"))).toBe("d");
  expect(next("d", [ended("d"), ...live("c")])).toBe("c");
  expect(next("c", [ended("c")])).toBeUndefined();
});
