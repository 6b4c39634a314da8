import { runHook } from "./main.js";

runHook(process.argv.slice(2));
