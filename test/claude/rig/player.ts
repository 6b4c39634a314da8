/** Plays calls through the real Claude Code, for tests outside of Vitest: `node player.js ROOT PROJECT COMMAND…`. */
import { turn, use } from "./api.js";
import { hintsIn } from "./requests.js";
import { Workplace } from "./workplace.js";

const [root, project, ...commands] = process.argv.slice(2);
const calls = commands.map(command => use("Bash", { command }));
const { requests } = await new Workplace(root, project).play({ main: calls.map(call => turn(call)) });
console.log(JSON.stringify({ calls: calls.length, hints: hintsIn(requests).size }));
