/** Where this program keeps files of its own on each system. */
import { join } from "node:path";

const NAME = "dedup-inspector";

/** What can be thrown away at any time. */
export function cacheFolder(): string {
  const { env, platform } = process;
  if (platform === "win32") return join(localAppData(), NAME, "Cache");
  if (platform === "darwin") return join(home(), "Library", "Caches", NAME);
  return join(env["XDG_CACHE_HOME"] ?? join(home(), ".cache"), NAME);
}

/** What has to stay until the user takes it away. */
export function dataFolder(): string {
  const { env, platform } = process;
  if (platform === "win32") return join(localAppData(), NAME, "Data");
  if (platform === "darwin") return join(home(), "Library", "Application Support", NAME);
  return join(env["XDG_DATA_HOME"] ?? join(home(), ".local", "share"), NAME);
}

function home(): string {
  // Loaded only where it is needed: the hook is started anew for every call.
  return process.env["HOME"] ?? process.getBuiltinModule("node:os").homedir();
}

function localAppData(): string {
  return process.env["LOCALAPPDATA"] ?? join(home(), "AppData", "Local");
}
