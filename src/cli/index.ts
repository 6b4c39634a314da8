import { main } from "./main.js";
import { processTerminal } from "./terminal.js";

/** A reader that stops early (`| head`) is no error. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

main(process.argv.slice(2), processTerminal()).then(status => {
  process.exitCode = status;
});
