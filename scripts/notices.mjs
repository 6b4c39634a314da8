// `npm run notices [-- --out FILE]`: updates ThirdPartyNotices.txt from what the bundles actually contain.
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundledPackages, notices } from "./package/notices.mjs";
import { build } from "./setup.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const out = resolve(values.out ?? `${root}/ThirdPartyNotices.txt`);
process.chdir(root);
build();
writeFileSync(out, notices());
console.log(`${basename(out)}: ${[...bundledPackages().keys()].join(", ")}`);
