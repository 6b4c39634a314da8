// `npm run notices`: writes ThirdPartyNotices.txt anew, from what the bundles really hold.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledPackages, notices } from "./package/notices.mjs";
import { build } from "./setup.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
build();
writeFileSync("ThirdPartyNotices.txt", notices());
console.log(`ThirdPartyNotices.txt: ${[...bundledPackages().keys()].join(", ")}`);
