/** The library's declarations are collected from the compiler's, one file for each module. */
import { expect, it } from "vitest";
import { collected } from "../../scripts/package/declarations.mjs";

const collect = (modules: Readonly<Record<string, string>>) =>
  collected("index", async path => modules[path] ?? `export {};\n`);

it("includes what exports need, and nothing else", async () => {
  const text = await collect({
    index: '/** The door. */\nexport { type Shown, show } from "./a.js";\n',
    a: [
      'import type { Far } from "./b.js";',
      "/** Shown, not `Unused`. */",
      "export interface Shown {",
      "    readonly far: Far;",
      "}",
      "interface Own {",
      "}",
      "export interface Unused {",
      "}",
      "export declare function show(own: Own): Shown;",
      "export {};",
    ].join("\n"),
    b: 'export type Far = \n/** One. */\n"one"\n/** Two. */\n | "two";\n',
  });
  expect(text.split("\n\n")).toEqual([
    "/** Shown, not `Unused`. */\nexport interface Shown {\n    readonly far: Far;\n}",
    "export declare function show(own: Own): Shown;",
    "interface Own {\n}",
    'type Far = \n/** One. */\n"one"\n/** Two. */\n | "two";',
    "export {};\n",
  ]);
});

it.each([
  [
    "two things have one name",
    {
      index: 'export { A } from "./a.js";\nexport { B } from "./b.js";\n',
      a: "export interface A {\n    x: Same;\n}\ninterface Same {\n}\n",
      b: "export interface B {\n    x: Same;\n}\ninterface Same {\n}\n",
    },
    "two declarations of Same",
  ],
  [
    "another package is needed",
    { index: 'export { A } from "./a.js";\n', a: 'import { B } from "b";\nexport interface A {\n    b: B;\n}\n' },
    "a needs b",
  ],
  ["something is missing", { index: 'export { A } from "./a.js";\n' }, "no declaration of A"],
])("fails if %s", async (_, modules, why) => {
  await expect(collect(modules)).rejects.toThrow(why);
});
