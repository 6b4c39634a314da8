import { type BigIntStats, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { stampOf } from "../../../src/files/stamp.js";

const stats = statSync(fileURLToPath(import.meta.url), { bigint: true });
const stampWith = (changed: Partial<BigIntStats>) => stampOf({ ...stats, ...changed } as BigIntStats);

// Node 22.12 to 22.16 and 24.0 to 24.1, which some versions of VS Code contain: https://github.com/libuv/libuv/pull/4698.
it("is the same for a path and an open file, although Node on Windows may report two devices", () => {
  expect(stampWith({ dev: stats.dev + (1n << 32n) })).toBe(stampWith({}));
});

it.each(["ino", "size", "mtimeNs", "ctimeNs"] as const)("differs if %s does", name => {
  expect(stampWith({ [name]: stats[name] + 1n })).not.toBe(stampWith({}));
});
