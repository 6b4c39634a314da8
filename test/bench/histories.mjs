// What a benchmark runs on: the given logs, a generated history, or both.
import { bytesOf, generateHistory } from "./generate.mjs";
import { Logs } from "./logs.mjs";
import { tempFolder } from "./measure.mjs";

/** Names with their logs. Without a path, a history is always generated. */
export function historiesOf(paths, generate, say) {
  const histories = paths.length > 0 ? [["given logs", new Logs(paths)]] : [];
  if (generate === undefined && paths.length > 0) return histories;
  const size = generate ?? "400M";
  const folder = tempFolder();
  say(`generating ${size}`);
  generateHistory(folder, bytesOf(size));
  return [...histories, [`generated ${size}`, new Logs([folder])]];
}
