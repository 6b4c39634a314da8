/**
 * What each request contained according to the log. Recent versions write a line for every request: the earlier one
 * that it continues, how many of its messages it keeps, and the fingerprints of those that follow.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

interface RequestRecord {
  readonly type: string;
  readonly id: string;
  readonly base?: string;
  readonly keep: number;
  readonly tail: readonly string[];
}

/** For each recorded request, the fingerprints of its messages; empty for versions without records. */
export function recordedRequests(log: string): (readonly string[])[] {
  const requests = new Map<string, readonly string[]>();
  for (const line of readFileSync(log, "utf8").trim().split("\n")) {
    const { type, id, base = "", keep, tail } = JSON.parse(line) as RequestRecord;
    if (type === "api-request") requests.set(id, [...(requests.get(base) ?? []).slice(0, keep), ...tail]);
  }
  return [...requests.values()];
}

/** A message's fingerprint as in those records: without prompt cache markers, its members in order. */
export function messageFingerprint(message: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(inOrder(message)))
    .digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "cache_control");
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, member]) => [key, inOrder(member)]),
  );
}
