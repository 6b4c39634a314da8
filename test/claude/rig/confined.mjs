import { spawnSync } from "node:child_process";
import { ensureCommand } from "../../../scripts/system.mjs";

/**
 * As root, in a network namespace with only loopback: whatever Claude Code tries, nothing leaves the machine.
 * @param {readonly string[]} command
 * @returns {string[]}
 */
export function confined(command) {
  if (process.getuid?.() !== 0) return [...command];
  ensureCommand("unshare", "util-linux");
  ensureCommand("ip", "iproute2");
  const probe = ["-n", "sh", "-c", "ip link set lo up"];
  if (spawnSync("unshare", probe).status !== 0) return [...command];
  return ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec env DEDUP_CONFINED=1 "$@"', "sh", ...command];
}
