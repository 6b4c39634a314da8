import { hash } from "node:crypto";
import { ROW_LAYOUT } from "../inspect/rows.js";

/** In the head of everything that holds rows: a new column or outcome makes older files as good as none. */
export const LAYOUT = hash("sha256", ROW_LAYOUT, "hex").slice(0, 8);
