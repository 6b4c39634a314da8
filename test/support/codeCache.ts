import { Script } from "node:vm";

/**
 * What `CompiledProgram` keeps next to a program, but with V8's compiled code of another one, `compiled`, which has the
 * same length and whose part has run: V8 itself accepts it, so that what it does shows which one ran.
 */
export function codeCache(program: string, compiled: string, part: string): Buffer {
  const script = new Script(`(function(exports,require,module,__filename,__dirname){${compiled}\n})`);
  const exported: Record<string, () => void> = {};
  script.runInThisContext()(exported, () => ({ parentPort: { postMessage: () => {} } }));
  exported[part]?.();
  const data = script.createCachedData();
  return Buffer.concat([Buffer.of(1), Buffer.from(program), data, data]);
}
