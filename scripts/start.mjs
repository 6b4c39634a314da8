// `npm start`: what repeats in this user's own sessions, or in the bundled sample where there are none.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { build, install, run } from "./setup.mjs";

process.chdir(new URL("..", import.meta.url).pathname);
install();
build();

const home = process.env.HOME ?? homedir();
const configured = process.env.CLAUDE_CONFIG_DIR?.split(",");
const roots = (configured ?? [join(home, ".claude"), join(home, ".config", "claude")]).map(dir =>
  join(dir, "projects"),
);
const own = roots.some(root => existsSync(root));
console.log(
  own ? "Your own Claude Code logs:\n" : "No Claude Code logs here yet; this is the bundled sample session:\n",
);
run(process.execPath, ["dist/cli.js", "report", ...(own ? [] : ["media/sample.jsonl"]), ...process.argv.slice(2)]);
