import { crc32 } from "node:zlib";
import { ROW_LAYOUT } from "../inspect/rows.js";

/** In the head of everything that holds rows: a new column or outcome makes older files as good as none. */
export const LAYOUT = crc32(ROW_LAYOUT).toString(16).padStart(8, "0");
