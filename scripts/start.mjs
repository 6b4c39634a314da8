// `npm start`: the inspector in a browser, on your own sessions or, if there are none, on the bundled sample.
// `npm start -- --no-browser` only prints the address; all other options of `open` work too.
import { fileURLToPath } from "node:url";
import { build, install } from "./setup.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
install();
build();

// npm sends signals to a shell that does not forward them, so this process exits when its parent is gone.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 500).unref();

process.argv.splice(2, 0, "open");
await import("../dist/cli.js");
