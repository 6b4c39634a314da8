/** The built program with some logs, under conditions set by a line of shell. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Place, type Run } from "../support/cli.js";
import { Chance, LineSource } from "../support/liveLog.js";

const WITH_KILLER = `--require ${fileURLToPath(new URL("killAt.cjs", import.meta.url))}`;

export class Logs extends Place {
  readonly logs = this.path("logs");

  constructor(logs: number, lines = 300) {
    super();
    for (let index = 0; index < logs; index++) {
      this.write(join("logs", `${index}.jsonl`), new LineSource(new Chance(index + 1)).take(lines));
    }
  }

  get cache(): string {
    return this.path("home", "cache");
  }

  /** The report as JSON, which must come without any message. */
  async report(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.ask(["report", "--json", ...args, this.logs]);
    if (status !== 0 || stderr !== "") throw new Error(`report ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** The report in a shell that has set its limits first. */
  reportUnder(limits: string, ...args: string[]): Promise<Run> {
    return this.run(["report", "--json", ...args, this.logs], {}, undefined, limits);
  }

  /** How often a report that reads and remembers everything calls the file system. */
  async callsOfReport(): Promise<number> {
    const counted = this.path("calls");
    await this.run(["report", "--json", this.logs], { NODE_OPTIONS: WITH_KILLER, DEDUP_KILL_COUNT: counted });
    return Number(readFileSync(counted, "utf8"));
  }

  /** Kills the program without warning at one of these calls; false if it ended before. */
  async killedReport(call: number): Promise<boolean> {
    const env = { NODE_OPTIONS: WITH_KILLER, DEDUP_KILL_AT: String(call) };
    const { status, stderr } = await this.run(["report", "--json", this.logs], env);
    if (status !== null && status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
    return status === null;
  }
}
