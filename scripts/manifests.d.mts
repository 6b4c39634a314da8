type Tables = typeof import("../src/settings/table.js") &
  Pick<typeof import("../src/dedup/events.js"), "MARK_MEMBERS"> &
  Pick<typeof import("../src/inspect/outcomes.js"), "OUTCOMES"> &
  Pick<typeof import("../src/inspect/rows.js"), "ROW_FIELDS"> &
  Pick<typeof import("../src/inspect/strategies.js"), "STRATEGY_IDS"> & {
    /** Everything that there is to translate. */
    readonly texts: readonly string[];
  };

/** By path, the files that are made from our tables, as they have to be. `read` gives one as it is. */
export function manifests(tables: Tables, read: (path: string) => string): ReadonlyMap<string, string>;
