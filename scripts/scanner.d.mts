export function compileProgram(): Promise<void>;
export function compiledModule(): Promise<string>;
