/** The programs, by the folder in src that has the compiled module. */
export const COMPILED: Readonly<Record<"scanner" | "sums", object>>;
/** Writes the modules with the compiled programs, unless they are up to date. */
export function compilePrograms(): Promise<void>;
/** The program, compiled from the current sources. */
export function compiledProgram(name: keyof typeof COMPILED): Promise<Uint8Array>;
