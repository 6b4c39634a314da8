/** Writes the compiled scanner, unless it is there for its present sources. */
export function compileScanner(): Promise<void>;
/** The module with the compiled scanner, as the present sources give it. */
export function scannerModule(): Promise<string>;
