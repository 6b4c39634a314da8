/** Where live hints can be turned on for the open workspace. */
import { workspace } from "vscode";
import { claudeFolder } from "../files/folders.js";
import { openDoors } from "../hook/install/installer.js";
import type { Doors } from "../hook/install/liveHooks.js";
import { SCOPES, type Scope, settingsFileOf } from "../hook/install/settingsFile.js";
import { messageOf } from "../protocol/channel.js";
import type { LiveHintsState } from "../protocol/messages.js";

export interface LiveHintsPlace {
  readonly scope: Scope;
  readonly file: string;
  /** Why there is no such file for this scope. */
  readonly problem?: string;
}

/** The settings files of the open project and of the user, nearest first. */
export function liveHintsPlaces(): LiveHintsPlace[] {
  const project = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
  const scopes = SCOPES.toReversed().filter(scope => scope === "user" || project !== undefined);
  const places = { configFolder: () => claudeFolder(), project: project ?? "" };
  return scopes.map(scope => {
    try {
      return { scope, file: settingsFileOf(scope, places) };
    } catch (error) {
      return { scope, file: "", problem: messageOf(error) };
    }
  });
}

export function isOnAt(place: LiveHintsPlace): boolean {
  const { mod, hooks } = doorsAt(place);
  return mod || hooks;
}

export function liveHintsState(): LiveHintsState {
  const doors = liveHintsPlaces().map(doorsAt);
  const [mod, hooks] = [doors.some(one => one.mod), doors.some(one => one.hooks)];
  if (mod && hooks) return "both";
  return mod ? "mod" : hooks ? "hooks" : "off";
}

function doorsAt({ file }: LiveHintsPlace): Doors {
  try {
    return openDoors(file);
  } catch {
    // A file that cannot be read, or is not JSON, turns nothing on.
    return { mod: false, hooks: false };
  }
}
