/** The built program beside some logs, under conditions that a line of shell sets. */
import { join } from "node:path";
import { Place, type Run } from "../support/cli.js";
import { Chance, LineSource } from "../support/liveLog.js";

const PATIENCE_MS = 60_000;

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

  /** The report as JSON, which must come without a word of complaint. */
  async report(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(["report", "--json", ...args, this.logs], {}, PATIENCE_MS);
    if (status !== 0 || stderr !== "") throw new Error(`report ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** The report in a shell that has set its limits first. */
  reportUnder(limits: string, ...args: string[]): Promise<Run> {
    return this.run(["report", "--json", ...args, this.logs], {}, PATIENCE_MS, limits);
  }

  /** Kills the program, without a warning, after so many milliseconds. */
  async killedReport(afterMs: number): Promise<void> {
    await this.run(["report", "--json", this.logs], {}, Math.max(1, Math.round(afterMs)));
  }
}
