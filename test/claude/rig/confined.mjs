import { spawnSync } from "node:child_process";

/**
 * As root in a network of its own, where only loopback exists: whatever Claude Code tries, nothing leaves.
 * @param {readonly string[]} command
 * @returns {string[]}
 */
export function confined(command) {
  const probe = ["-n", "sh", "-c", "ip link set lo up"];
  if (process.getuid?.() !== 0 || spawnSync("unshare", probe).status !== 0) return [...command];
  return ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", ...command];
}
