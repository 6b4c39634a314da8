/** Compiles the scanner if that has not been done for its present sources. */
export function compileScanner(): Promise<void>;
