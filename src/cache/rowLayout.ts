import { crc32 } from "node:zlib";
import { ROW_LAYOUT } from "../inspect/rows.js";

/** In the header of all files with rows: a new column or outcome invalidates older files. */
export const LAYOUT = crc32(ROW_LAYOUT).toString(16).padStart(8, "0");
