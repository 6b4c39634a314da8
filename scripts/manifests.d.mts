/** By path, the files that are made from the table of settings, as they have to be. `read` gives one as it is. */
export function manifests(
  table: typeof import("../src/settings/table.js"),
  read: (path: string) => string,
): ReadonlyMap<string, string>;
