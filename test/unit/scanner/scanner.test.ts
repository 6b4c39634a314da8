/** The scanner against JSON.parse: whatever a line is, both must agree. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogText } from "../../../src/log/heldText.js";
import { LogReader } from "../../../src/log/logReader.js";
import { isTranscript } from "../../../src/log/sessionFiles.js";
import { Scanner } from "../../../src/scanner/scanner.js";
import { scanOnce, seedLines } from "../../fuzz/fuzz.js";
import { checkScanner, doubtfulLines } from "../../fuzz/scanner.js";
import { answer, call, logText, prompt, result } from "../../support/log.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../support/replay.js";
import { SEED } from "../../support/seed.js";
import { turn } from "../../support/turns.js";

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const FILES = [...filesUnder(FIXTURES).filter(isTranscript), SAMPLE];

/** A call and its result, then this line, then a result that depends on how it was read. */
function around(line: string | Buffer): Buffer {
  const before = logText(call("t1", "Read", { file_path: "/a" }, { uuid: "u1", parentUuid: null }));
  const after = logText(answer("m1", 9, { uuid: "u3" }), result("t2", "after", { uuid: "u4", parentUuid: "u3" }));
  return Buffer.concat([Buffer.from(before), Buffer.from(line), Buffer.from(`\n${after}`)]);
}

const RESULT = '{"type":"user","uuid":"u2","message":{"content":[{"type":"tool_result","tool_use_id":"t1",';

/** Lines that a hasty reader would get wrong. */
const TRICKY: Readonly<Record<string, string | Buffer>> = {
  "a member twice": '{"type":"user","uuid":"u2","uuid":"u9","message":{"content":"hi"}}',
  "a member twice, once with an escape":
    '{"type":"assistant","\\u0074ype":"user","uuid":"u2","message":{"content":"hi"}}',
  "a type with an escape": '{"type":"us\\u0065r","uuid":"u2","message":{"content":"hi"}}',
  "a text twice": `${RESULT}"content":"one","content":"two"}]}}`,
  "a block whose type comes last": `${'{"type":"user","message":{"content":[{"tool_use_id":"t1","content":"x","type":"tool_result"}]}}'}`,
  "a type that is a number": '{"type":1,"uuid":"u2","customTitle":"a title"}',
  "no type": '{"uuid":"u2","summary":"a title"}',
  "a parent that is a number": '{"type":"user","uuid":"u2","parentUuid":1,"message":{"content":"hi"}}',
  "a parent that is itself": '{"type":"user","uuid":"u2","parentUuid":"u2","message":{"content":"hi"}}',
  "its uuid before its parent": '{"type":"user","uuid":"u2","parentUuid":"u1","message":{"content":"hi"}}',
  "an input with a key twice":
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"a","command":"b"}}]}}',
  "an input with numbers for keys":
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"X","input":{"b":"a line of some length","1":"another line of some length"}}]}}',
  "an input with a key like that of all objects":
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"X","input":{"__proto__":"a line of some length"}}]}}',
  "a usage with a fraction": '{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":1.5}}}',
  "a usage with an exponent": '{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":1e3}}}',
  "a usage below zero": '{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":-5}}}',
  "a usage with too many digits":
    '{"type":"assistant","message":{"id":"m","model":"x","usage":{"input_tokens":1000000000000000001}}}',
  "a number with a zero in front": '{"type":"assistant","message":{"id":"m","usage":{"input_tokens":012}}}',
  "a number that ends too soon": '{"type":"user","a":1.,"message":{"content":"hi"}}',
  "a word that is none": '{"type":"user","a":nulL,"message":{"content":"hi"}}',
  "a comma too many": '{"type":"user","a":[1,],"message":{"content":"hi"}}',
  "a comma at the end": '{"type":"user","message":{"content":"hi"},}',
  "no colon": '{"type" "user","message":{"content":"hi"}}',
  "something after the end": '{"type":"user","message":{"content":"hi"}} x',
  "a list around it": '[{"type":"user","message":{"content":"hi"}}]',
  "white space everywhere":
    ' { "type" : "user" ,\t"message" :\r{ "content" : [ { "type" : "tool_result" , "tool_use_id" : "t1" , "content" : "x" } ] } } \r',
  "a blank that is none in JSON": '{"type":"user",\f"message":{"content":"hi"}}',
  "a byte order mark": '\ufeff{"type":"user","message":{"content":"hi"}}',
  "a tab in a string": `${RESULT}"content":"a\tb"}]}}`,
  "an escape that does not exist": `${RESULT}"content":"a\\x41"}]}}`,
  "an escape without digits": `${RESULT}"content":"a\\u00g1"}]}}`,
  "every escape": `${RESULT}"content":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u2192\\ud83d\\ude00 and enough for a line"}]}}`,
  "half a pair": `${RESULT}"content":"a\\ud83d and enough characters for a line"}]}}`,
  "the other half of a pair": `${RESULT}"content":"a\\ude00 and enough characters for a line"}]}}`,
  "half a pair before another escape": `${RESULT}"content":"a\\ud83d\\u0041 and enough characters"}]}}`,
  "a picture": `${RESULT}"content":[{"type":"image","source":{"data":"AAAA"}}]}]}}`,
  "a text and a picture": `${RESULT}"content":[{"type":"text","text":"a"},{"type":"image"}]}]}}`,
  "texts in a list": `${RESULT}"content":[{"type":"text","text":"one line, long enough"},{"text":"two","type":"text"}]}]}}`,
  "an empty list": `${RESULT}"content":[]}]}}`,
  "no content": `${RESULT}"is_error":true}]}}`,
  "blocks that are none": '{"type":"user","message":{"content":[1,null,"x",[],{"type":"text","text":"a prompt"}]}}',
  "what the tool says about a file": `{"toolUseResult":{"type":"file_unchanged"},${RESULT.slice(1)}"content":"x"}]}}`,
  "the same with an escape": `{"toolUseResult":{"type":"file\\u005funchanged"},${RESULT.slice(1)}"content":"x"}]}}`,
  "what the tool says, twice": `{"toolUseResult":{"type":"file_unchanged","type":"text"},${RESULT.slice(1)}"content":"x"}]}}`,
  "what a part of the tool's answer says": `{"toolUseResult":{"file":{"type":"file_unchanged"}},${RESULT.slice(1)}"content":"x"}]}}`,
  "a tool's answer that is a list": `{"toolUseResult":[{"type":"file_unchanged"}],${RESULT.slice(1)}"content":"x"}]}}`,
  "a tool's answer that is a text": `{"toolUseResult":"file_unchanged",${RESULT.slice(1)}"content":"x"}]}}`,
  "an input with several paths and subjects":
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Grep","input":{"prompt":"p","path":"/b","pattern":"a line to look for","file_path":"/a"}}]}}',
  "an input whose first path is none":
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":7,"notebook_path":"/c","path":"/b","command":null,"description":"d"}}]}}',
  "a subagent with a long id": `{"toolUseResult":{"agentId":"${"a".repeat(999)}"},${RESULT.slice(1)}"content":"x"}]}}`,
  "a tool's answer with a long name": `{"toolUseResult":{"${"a".repeat(999)}":1,"stdout":"","stderr":""},${RESULT.slice(1)}"content":"x"}]}}`,
  "a tool's answer with long texts": `{"toolUseResult":{"type":"text","file":{"content":"${"a\\n".repeat(999)}","startLine":1}},${RESULT.slice(1)}"content":"1\ta"}]}}`,
  "results that the API cleared":
    '{"type":"assistant","message":{"id":"m","context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":3}]}}}',
  "what a hook says":
    '{"type":"attachment","uuid":"u2","attachment":{"type":"hook_additional_context","content":["Tool output is long"]}}',
  "what a hook says about hints":
    '{"type":"attachment","uuid":"u2","attachment":{"type":"hook_additional_context","content":["Tool output `> [ref: ID]` means"]}}',
  "the same, spelled otherwise":
    '{"type":"attachment","uuid":"u2","attachment":{"content":["Tool output `> \\u005bref: ID]` means"],"type":"hook_additional_context"}}',
  "values too deep for a stack": `{"type":"user","a":${"[".repeat(5000)}${"]".repeat(5000)},"message":{"content":"hi"}}`,
  "half of a line": '{"type":"user","message":{"content":"hi',
  "bytes that are not UTF-8": Buffer.concat([
    Buffer.from(`${RESULT}"content":"a line with `),
    Buffer.of(0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80),
    Buffer.from(' and enough"}]}}'),
  ]),
  "bytes that are not UTF-8 in what nobody needs": Buffer.concat([
    Buffer.from('{"type":"user","other":"'),
    Buffer.of(0xff, 0xf0, 0x9f),
    Buffer.from('","message":{"content":"hi"}}'),
  ]),
};

/** Texts whose lines are split and hashed. */
const TEXTS: Readonly<Record<string, string>> = {
  "lines of every length": Array.from({ length: 70 }, (_, length) => "abcdefghij".repeat(7).slice(0, length)).join(
    "\n",
  ),
  "numbered lines, new": Array.from({ length: 120 }, (_, line) => `${line}\tline ${line}`).join("\n"),
  "numbered lines, old": Array.from({ length: 120 }, (_, line) => `${String(line).padStart(6)}→line ${line}`).join(
    "\n",
  ),
  "numbers that are none":
    "01\tx\n1234567890\tx\n 1\tx\n      1→x\n1 →x\n7\n7\t\n999999999\tlast\n999999999→last\n1234567→x",
  "characters of every size":
    "é\nüß\n→→\n日本語\n😀\na😀b\n\u2028odd\u2029\n\u007f\u0080\u07ff\u0800\uffff\u{10ffff}\nASCII again",
  "line ends of all kinds": "one\r\ntwo\rthree\n\n\nfour\r",
  hints: "a text with\n> [ref: toolu_1 lines 1-3]\n12\t> [near-ref: x]\n> [ref\n> [ref:",
  "hints behind colons":
    "7:> [ref: t]\n0:> [near-ref: t]\n07:> [ref: t]\n123456789:> [ref: t]\n1234567890:> [ref: t]\n:> [ref: t]\n1\t7:> [ref: t]\na7:> [ref: t]\n7:8:> [ref: t]\n7é:> [ref: t]\n7:",
  "a diff": "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-old\n+new",
  "something like a diff": "a line before\rdiff --git a/x b/x",
  "a list of matches": "src/a.ts:1:one\nC:\\b.ts:22:two\nsrc/c.ts:3:three\n",
  "hardly a list of matches": "12:34:56 a time\nno match\nno match either\n",
  "a long line": `${"x".repeat(20_000)}\n${"é".repeat(9000)}\nend`,
};

describe("the scanner and JSON.parse agree", () => {
  it.each(FILES.map(path => relative(REPOSITORY, path)))("in %s", name => {
    checkScanner(name, readFileSync(join(REPOSITORY, name)));
  });

  it.each(Object.keys(TRICKY))("of a line with %s", name => {
    checkScanner("s.jsonl", around(TRICKY[name] ?? ""));
  });

  it.each(Object.keys(TEXTS))("of a text with %s", name => {
    const text = TEXTS[name] ?? "";
    for (const tool of ["Read", "Bash", "Grep"]) {
      const log = logText(call("t1", tool, { command: text, prompt: text }), result("t1", text), prompt(text));
      checkScanner("s.jsonl", Buffer.from(log));
    }
  });

  it("on lines that no program should write", async () => {
    const seeds = seedLines();
    for (let seed = SEED; seed < SEED + 60; seed++) {
      scanOnce(seed, seeds, (_, error) => {
        throw new Error(`seed ${seed} (repeat: npm run fuzz -- --lines 0 --rounds 0 --scanned 1 --seed ${seed})`, {
          cause: error,
        });
      });
      await turn();
    }
  });

  it("after a line for which its memory had to grow", () => {
    const huge = result("t1", "long lines\n".repeat(600_000));
    checkScanner("s.jsonl", around(`${JSON.stringify(huge)}\n${JSON.stringify(result("t3", "short"))}`));
  });
});

describe("the scanner", () => {
  it("leaves hardly any line of a genuine session to JSON.parse", () => {
    const sample = readFileSync(SAMPLE);
    const lines = sample.toString("latin1").split("\n").length - 1;
    expect(lines).toBeGreaterThan(100);
    expect(doubtfulLines(sample) / lines).toBeLessThan(0.1);
  });

  it("refuses to return a text once the next line has been read", () => {
    const scanner = new Scanner();
    const log = Buffer.from(logText(result("t1", "a text"), result("t2", "another")));
    const texts: LogText[] = [];
    const reader = new LogReader(
      (_, fact) => {
        if (fact.fact === "result" && fact.body !== null) texts.push(fact.body);
      },
      { parser: scanner },
    );
    reader.push(log);
    expect(() => String(texts[0])).toThrow("after the next line");
    expect(String(texts[1])).toBe("another");
  });

  it.each(["a member twice", "half a pair", "bytes that are not UTF-8", "values too deep for a stack"])(
    "does not vouch for a line with %s",
    name => {
      const others = doubtfulLines(around('{"type":"user","message":{"content":"hi"}}'));
      expect(doubtfulLines(around(TRICKY[name] ?? ""))).toBe(others + 1);
    },
  );
});
