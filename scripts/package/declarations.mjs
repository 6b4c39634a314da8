// One declaration file for the library. The compiler writes one per module; this collects what the library's exports
// need, so that users see nothing else and need nothing else.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const COMPILER = "node_modules/typescript/bin/tsc";

/** @param {string} project a folder with a tsconfig.json and an index.ts  @param {string} file what to write */
export async function writeDeclarations(project, file) {
  const folder = await mkdtemp(join(tmpdir(), "declarations-"));
  try {
    await run(process.execPath, [COMPILER, "-p", project, "--outDir", folder]);
    const entry = posix.join(posix.basename(project), "index");
    await writeFile(file, await collected(entry, path => readFile(join(folder, `${path}.d.ts`), "utf8")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|let|function|enum) ([\w$]+)/m;
const CLAUSE = /^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)";/m;

/**
 * The declarations that a module's exports need, in one text.
 * @param {string} entry
 * @param {(path: string) => Promise<string>} read
 */
export async function collected(entry, read) {
  /** @type {Map<string, Promise<Module>>} */
  const modules = new Map();
  const moduleAt = path => {
    if (!modules.has(path))
      modules.set(
        path,
        read(path).then(text => parsed(path, text)),
      );
    return modules.get(path);
  };
  /** Follows imports and re-exports to where a name is declared. */
  const declarationOf = async (path, name) => {
    const module = await moduleAt(path);
    const link = module.links.get(name);
    if (link !== undefined) return declarationOf(link.path, link.name);
    return { path, name, text: module.declarations.get(name) };
  };

  const found = new Map();
  const add = async (path, name, isPublic) => {
    const one = await declarationOf(path, name);
    if (one.text === undefined) throw new Error(`no declaration of ${name} in ${path}`);
    const known = found.get(one.name);
    if (known !== undefined && known.path !== one.path) {
      throw new Error(`two declarations of ${one.name}: in ${known.path} and in ${one.path}`);
    }
    if (known !== undefined) {
      known.isPublic ||= isPublic;
      return;
    }
    if (one.name !== name) throw new Error(`${name} in ${path} is called ${one.name} in ${one.path}`);
    found.set(name, { ...one, isPublic });
    const { links, declarations } = await moduleAt(one.path);
    for (const used of namesIn(one.text)) {
      if (used !== name && (links.has(used) || declarations.has(used))) await add(one.path, used, false);
    }
  };
  for (const name of (await moduleAt(entry)).links.keys()) await add(entry, name, true);

  const texts = [...found.values()]
    .sort((left, right) => (left.path === right.path ? 0 : left.path < right.path ? -1 : 1))
    .map(({ text, isPublic }) => (isPublic ? text : text.replace(/^export /gm, "")));
  return `${texts.map(text => text.trim()).join("\n\n")}\n\nexport {};\n`;
}

/**
 * @typedef {{ links: Map<string, { path: string, name: string }>, declarations: Map<string, string> }} Module
 * @param {string} path
 * @param {string} text
 * @returns {Module}
 */
function parsed(path, text) {
  const links = new Map();
  const declarations = new Map();
  for (const statement of statementsOf(text)) {
    const [, names, from] = CLAUSE.exec(statement) ?? [];
    if (from !== undefined) {
      if (!from.startsWith(".")) throw new Error(`${path} needs ${from}`);
      const target = posix.join(dirname(path), from.replace(/\.js$/, ""));
      for (const one of names.split(",").flatMap(part => part.trim().replace(/^type /, "") || [])) {
        const [name, as = name] = one.split(" as ");
        links.set(as, { path: target, name });
      }
      continue;
    }
    const name = DECLARATION.exec(statement)?.[1];
    if (name !== undefined) declarations.set(name, `${declarations.get(name) ?? ""}${statement}`);
  }
  return { links, declarations };
}

/** Each with the comment above it. A statement ends with a line that ends with a semicolon or closes its braces. */
function statementsOf(text) {
  const statements = [];
  let statement = "";
  for (const line of text.split("\n")) {
    statement += `${line}\n`;
    // Anything inside braces is indented further.
    if (!/^ ?\S.*;$|^\}$/.test(line) || /^(?:\/[*/]| \*)/.test(line)) continue;
    statements.push(statement);
    statement = "";
  }
  return statements;
}

/** The identifiers in a declaration, without comments and strings. */
function namesIn(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
  return new Set(code.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g));
}
