/** Where live hints can be turned on for a project, and whether they are. */
import { resolve } from "node:path";
import { claudeFolders } from "../../files/folders.js";
import { type LiveHintsState, SCOPES, type Scope } from "../../settings/liveSettings.js";
import { openDoors } from "./installer.js";
import type { Doors } from "./liveHooks.js";
import { settingsFilesOf } from "./settingsFile.js";

export interface LiveHintsPlace {
  readonly scope: Scope;
  readonly file: string;
  /** Why there is no such file for this scope. */
  readonly problem?: string;
}

/** The settings files of the project, if there is one, and of the user, nearest first. */
export function liveHintsPlaces(project: string | undefined): LiveHintsPlace[] {
  const ofUser = placesOf("user");
  const known = new Set(ofUser.map(({ file }) => file));
  const others = project === undefined ? [] : SCOPES.filter(scope => scope !== "user");
  // In the home folder, the project's file is the user's own.
  const ofProject = others.flatMap(scope => placesOf(scope, project)).filter(({ file }) => !known.has(file));
  return [...ofUser, ...ofProject].reverse();
}

function placesOf(scope: Scope, project = ""): LiveHintsPlace[] {
  try {
    const files = settingsFilesOf(scope, { configFolders: () => claudeFolders(), project });
    return files.map(file => ({ scope, file: resolve(file) }));
  } catch (error) {
    return [{ scope, file: "", problem: (error as Error).message }];
  }
}

export function isOnAt(place: LiveHintsPlace): boolean {
  const { mod, hooks } = doorsAt(place);
  return mod || hooks;
}

export function liveHintsState(places: readonly LiveHintsPlace[]): LiveHintsState {
  const doors = places.map(doorsAt);
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
