/** A setting that changes the replay must change it in the kernel too, or be one that the kernel does not support. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { ReplayKernel } from "../../../src/kernel/kernel.js";
import type { Setting } from "../../../src/settings/kinds.js";
import { REPLAY } from "../../../src/settings/table.js";
import { byKernel, byReplay } from "../../support/kernel.js";
import { REPOSITORY } from "../../support/replay.js";

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");

/** For JSON settings, a value that matters in the sample. */
const JSON_VALUES: Readonly<Record<string, unknown>> = { invalidates: { Bash: ["Read", "Grep"] } };

function otherValues(name: string, setting: Setting): unknown[] {
  switch (setting.kind) {
    case "integer":
    case "number":
      return [setting.min, setting.max];
    case "toggle":
      return [!setting.default];
    case "choice":
      return setting.choices.filter(choice => choice !== setting.default);
    case "json":
      if (!(name in JSON_VALUES)) throw new Error(`a value of ${name} is missing here`);
      return [JSON_VALUES[name]];
    default:
      return setting satisfies never;
  }
}

const others = Object.entries(REPLAY).flatMap(([name, setting]) =>
  otherValues(name, setting).map(value => [name, value] as const),
);

describe("the kernel respects every setting that it supports", () => {
  const content = readFileSync(SAMPLE);
  const served = others.filter(([name, value]) => ReplayKernel.serves({ ...DEFAULT_SETTINGS, [name]: value }));

  it.each(served)("%s: %j", (name, value) => {
    const settings: DedupSettings = { ...DEFAULT_SETTINGS, [name]: value };
    expect(byKernel(SAMPLE, content, settings)).toEqual(byReplay(SAMPLE, content, settings));
  });
});
