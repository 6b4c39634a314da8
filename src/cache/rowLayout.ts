import { hash } from "node:crypto";
import { ROW_LAYOUT } from "../inspect/rows.js";

/** In the header of all files with rows: a new column or outcome invalidates older files. */
export const LAYOUT = hash("sha256", ROW_LAYOUT, "hex").slice(0, 8);
