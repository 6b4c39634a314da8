/** The folders of src with a program in AssemblyScript, and the names of the constants with the compiled ones. */
export const COMPILED: Readonly<Record<string, string>>;
/** Writes the compiled programs, unless they are there for their present sources. */
export function compilePrograms(): Promise<void>;
/** The module with a compiled program, as the present sources give it. */
export function moduleOf(program: string): Promise<string>;
