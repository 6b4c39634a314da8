import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { SampleReplay } from "../../../src/serve/sampleReplay.js";
import { REPOSITORY } from "../../support/replay.js";
import { until } from "./serving.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-sample-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const lines = Array.from({ length: 10 }, (_, at) => `{"line":${at},"text":"é"}\n`);
const sample = join(folder, "lines.jsonl");
writeFileSync(sample, lines.join(""));

describe("the sample as a running session", () => {
  it("has most of its lines at once, the others one by one, and ends as the same bytes", async () => {
    const replay = new SampleReplay(sample, { shareAtOnce: 0.6, pauseMs: 20 });
    const now = () => readFileSync(replay.log, "utf8");
    expect(now()).toBe(lines.slice(0, 6).join(""));
    await until(() => now() !== lines.slice(0, 6).join(""));
    expect(lines.join("").startsWith(now()) && now().endsWith("\n")).toBe(true);
    await until(() => now() === lines.join(""));
    replay.stop();
    expect(existsSync(replay.folder)).toBe(false);
  });

  it("has its subagents' lines when they were written, in separate files, and removes them too", async () => {
    const line = (time: number) => `{"timestamp":"2026-11-12T10:00:0${time}Z"}\n`;
    writeFileSync(join(folder, "main.jsonl"), line(1) + line(5));
    mkdirSync(join(folder, "main", "subagents"), { recursive: true });
    writeFileSync(join(folder, "main", "subagents", "agent-a1.jsonl"), line(2) + line(6));
    const replay = new SampleReplay(join(folder, "main.jsonl"), { shareAtOnce: 0.5, pauseMs: 20 });
    const agent = join(replay.folder, "sample", "subagents", "agent-a1.jsonl");
    expect([readFileSync(replay.log, "utf8"), readFileSync(agent, "utf8")]).toEqual([line(1), line(2)]);
    await until(() => readFileSync(agent, "utf8") === line(2) + line(6));
    expect(readFileSync(replay.log, "utf8")).toBe(line(1) + line(5));
    replay.stop();
    expect(existsSync(replay.folder)).toBe(false);
  });

  it("is in a folder that only its user can read", () => {
    const replay = new SampleReplay(join(REPOSITORY, "media", "sample.jsonl"));
    expect(replay.folder.startsWith(tmpdir())).toBe(true);
    expect(replay.log.startsWith(replay.folder)).toBe(true);
    expect(statSync(replay.folder).mode & 0o077).toBe(0);
    replay.stop();
  });

  it.each(["", "relative"])("is in an absolute folder if TMPDIR is %j", value => {
    vi.stubEnv("TMPDIR", value);
    const replay = new SampleReplay(sample);
    vi.unstubAllEnvs();
    expect(isAbsolute(replay.folder)).toBe(true);
    replay.stop();
    expect(existsSync(replay.folder)).toBe(false);
  });

  it("removes what it wrote, and nothing else", () => {
    const replay = new SampleReplay(sample);
    writeFileSync(join(replay.folder, "mine"), "");
    replay.stop();
    expect(readdirSync(replay.folder)).toEqual(["mine"]);
    rmSync(replay.folder, { recursive: true });
  });

  it("survives the loss of its folder", async () => {
    const replay = new SampleReplay(sample, { shareAtOnce: 0.1, pauseMs: 5 });
    rmSync(replay.folder, { recursive: true });
    await new Promise(resolve => setTimeout(resolve, 50));
    replay.stop();
    expect(existsSync(replay.folder)).toBe(false);
  });
});
