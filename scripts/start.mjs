// `npm start`: the inspector in a browser, on this user's own sessions or on the bundled sample where there are none.
// `npm start -- --no-browser` only prints the address; every other argument of `open` goes through as well.
import { fileURLToPath } from "node:url";
import { build, install } from "./setup.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
install();
build();

// npm passes a signal on to a shell, which keeps it to itself: without its parent this process ends too.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 500).unref();

process.argv.splice(2, 0, "open");
await import("../dist/cli.js");
