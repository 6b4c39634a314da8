/** The programs, by the folder of src with the module that holds the compiled one. */
export const COMPILED: Readonly<Record<"scanner" | "sums", object>>;
/** Writes the modules with the compiled programs, unless they are there for the present sources. */
export function compilePrograms(): Promise<void>;
/** The compiled program, as the present sources give it. */
export function compiledProgram(name: keyof typeof COMPILED): Promise<Uint8Array>;
