/** Writes the module with the compiled program, unless it is there for the present sources. */
export function compileProgram(): Promise<void>;
/** The compiled program, as the present sources give it. */
export function compiledProgram(): Promise<Uint8Array>;
