/** Where live hints can be turned on for a project, and whether they are. */
import { resolve } from "node:path";
import { claudeFolders } from "../../files/folders.js";
import type { LiveHintsState, Scope } from "../../settings/liveSettings.js";
import { realName } from "./backup.js";
import { installedPlugins, openDoors } from "./installer.js";
import type { Doors } from "./liveHooks.js";
import { settingsFilesOf } from "./settingsFile.js";

export interface LiveHintsPlace {
  readonly scope: Scope;
  readonly file: string;
  /** Undefined in the user's settings. */
  readonly project?: string;
  /** Why there is no such file for this scope. */
  readonly problem?: string;
}

/** The settings files of the projects, if any, and of the user, nearest first. */
export function liveHintsPlaces(...projects: readonly string[]): LiveHintsPlace[] {
  const ofUser = placesOf("user").reverse();
  const known = new Set(ofUser.map(({ file }) => realName(file)));
  const ofProjects = projects.flatMap(project => [...placesOf("local", project), ...placesOf("project", project)]);
  // In the home folder, the project's file is the user's own.
  return [...ofProjects.filter(({ file }) => !known.has(realName(file))), ...ofUser];
}

function placesOf(scope: Scope, project?: string): LiveHintsPlace[] {
  const of = { scope, ...(project !== undefined && { project }) };
  try {
    const files = settingsFilesOf(scope, { configFolders: () => claudeFolders(), project: project ?? "" });
    return files.map(file => ({ ...of, file: resolve(file) }));
  } catch (error) {
    return [{ ...of, file: "", problem: (error as Error).message }];
  }
}

export function isOnAt(place: LiveHintsPlace): boolean {
  const { mod, hooks } = doorsAt(place);
  return mod || hooks;
}

export function liveHintsState(places: readonly LiveHintsPlace[]): LiveHintsState {
  const doors = places.map(doorsAt);
  const [mod, hooks] = [doors.some(one => one.mod), doors.some(one => one.hooks)];
  const hasPlugin = activePlugins(places).length > 0;
  if (hooks) return mod || hasPlugin ? "both" : "hooks";
  return mod ? "mod" : hasPlugin ? "plugin" : "off";
}

/** The mod as installed by `claude plugin install`, and for whom. */
export interface ActivePlugin {
  readonly id: string;
  readonly scope: Scope;
}

/** In any of the projects. */
export function activePlugins(places: readonly LiveHintsPlace[]): ActivePlugin[] {
  const projects = [...new Set(places.flatMap(({ project }) => project ?? []))];
  const groups = projects.length === 0 ? [places] : projects.map(project => placesFor(project, places));
  return [...new Map(groups.flatMap(pluginsFor).map(plugin => [removalOf(plugin), plugin])).values()];
}

function placesFor(project: string, places: readonly LiveHintsPlace[]): LiveHintsPlace[] {
  return places.filter(place => (place.project ?? project) === project);
}

/** The nearest file that names a plugin decides about it. `places`: of one project, nearest first. */
function pluginsFor(places: readonly LiveHintsPlace[]): ActivePlugin[] {
  const known = new Map<string, ActivePlugin | undefined>();
  for (const place of places) {
    for (const [id, isEnabled] of pluginsAt(place)) {
      if (!known.has(id)) known.set(id, isEnabled ? { id, scope: place.scope } : undefined);
    }
  }
  return [...known.values()].filter(plugin => plugin !== undefined);
}

/** The command that removes it. */
export function removalOf({ id, scope }: ActivePlugin): string {
  return `claude plugin uninstall ${id}${scope === "user" ? "" : ` --scope ${scope}`}`;
}

function pluginsAt({ file }: LiveHintsPlace): ReadonlyMap<string, boolean> {
  try {
    return installedPlugins(file);
  } catch {
    return new Map();
  }
}

function doorsAt({ file }: LiveHintsPlace): Doors {
  try {
    return openDoors(file);
  } catch {
    // A file that cannot be read, or is not JSON, turns nothing on.
    return { mod: false, hooks: false };
  }
}
