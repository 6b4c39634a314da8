/** Whatever is in place of Claude Code's settings file, none of it is lost, and no command hangs. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { snapshot } from "../support/snapshot.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
  for (const name of ["home/config", "home/.local/share", "dotfiles"]) mkdirSync(place.path(name), { recursive: true });
});
afterEach(() => place.remove());

const PLAIN = '{\n  "model": "opus"\n}\n';
const file = () => place.path("home", "config", "settings.json");
const folder = () => place.path("home", "config");
const hooks = (...args: string[]) => place.ask(["hooks", ...args, "--yes"]);
const holding = (content: string | Buffer) => () => writeFileSync(file(), content);
const linkedTo = (target: string) => () => symlinkSync(target, file());

/** Puts something else in place of the settings' folder. */
function inPlaceOfFolder(make: (path: string) => void): () => void {
  return () => {
    rmSync(folder(), { recursive: true });
    make(folder());
  };
}

/** What is there, whether live hints can be turned on, and the message if not. */
const KINDS: readonly [string, () => void, string | undefined][] = [
  ["nothing", () => {}, undefined],
  ["a file", holding(PLAIN), undefined],
  ["a file with Windows' line breaks", holding(PLAIN.replaceAll("\n", "\r\n")), undefined],
  ["a file with a byte order mark", holding(`\ufeff${PLAIN}`), undefined],
  ["a file without a line break", holding("{}"), undefined],
  ["a file with characters that only look forbidden", holding('{"a": "\u007f\u0085\u2028\u{1f642}"}'), undefined],
  ["an empty file", holding(""), "not valid JSON"],
  ["a file cut short", holding(PLAIN.slice(0, 9)), "not valid JSON"],
  [
    "a byte that is not UTF-8",
    holding(Buffer.from('{\n"a": "\xe9"\n}', "latin1")),
    "line 2 holds a byte that is not UTF-8",
  ],
  ["UTF-16", holding(Buffer.from(`\ufeff${PLAIN}`, "utf16le")), "line 1 holds a byte that is not UTF-8"],
  ["a huge file", () => writeFileSync(file(), Buffer.alloc(17 << 20, 32)), "too large"],
  ["a link", () => linkedTo(place.write("dotfiles/claude.json", PLAIN))(), undefined],
  [
    "a relative link to a link",
    () => {
      place.write("dotfiles/claude.json", PLAIN);
      symlinkSync("claude.json", place.path("dotfiles", "link"));
      symlinkSync("../../dotfiles/link", file());
    },
    undefined,
  ],
  ["a link to a file that is not there yet", () => linkedTo(place.path("dotfiles", "claude.json"))(), undefined],
  [
    "a link into a folder that does not exist",
    () => linkedTo(place.path("nowhere", "claude.json"))(),
    "there is no folder",
  ],
  ["a link to itself", () => linkedTo("settings.json")(), "a link that leads to itself"],
  ["a link to /dev/null", linkedTo("/dev/null"), "not a file"],
  ["a link to /dev/zero", linkedTo("/dev/zero"), "not a file"],
  ["a file with a second name", () => linkSync(place.write("dotfiles/claude.json", PLAIN), file()), "a hard link"],
  [
    "a link to a file with a hard link",
    () => {
      linkSync(place.write("dotfiles/claude.json", PLAIN), place.path("dotfiles", "second"));
      linkedTo(place.path("dotfiles", "second"))();
    },
    "a hard link",
  ],
  ["a read-only file", () => writeFileSync(file(), PLAIN, { mode: 0o444 }), "read-only"],
  ["a folder", () => mkdirSync(file()), "is a folder"],
  ["a pipe", () => expect(spawnSync("mkfifo", [file()]).status).toBe(0), "not a file"],
  ["no folder", inPlaceOfFolder(() => {}), undefined],
  ["a linked folder", inPlaceOfFolder(path => symlinkSync(place.path("dotfiles"), path)), undefined],
  [
    "a folder that is a link to nowhere",
    inPlaceOfFolder(path => symlinkSync(place.path("nowhere"), path)),
    "there is no folder",
  ],
  ["a folder that is a file", inPlaceOfFolder(path => writeFileSync(path, "mine")), "not a folder"],
  ["a folder that is a pipe", inPlaceOfFolder(path => void spawnSync("mkfifo", [path])), "not a folder"],
];

describe.skipIf(process.platform === "win32")("in place of the settings file there is", () => {
  describe.each(KINDS)("%s", (_, make, refusal) => {
    it("which survives live hints", async () => {
      make();
      const before = snapshot(place.folder);
      const { status, stderr, stdout } = await hooks("install");
      if (refusal === undefined) {
        expect([status, stderr]).toEqual([0, ""]);
        expect(stdout).toContain("Live hints are on");
        // On, and still on after a second install.
        expect((await hooks("install")).stdout).toContain("are already on");
        expect((await hooks("uninstall")).status).toBe(0);
      } else {
        expect([status, stdout]).toEqual([1, ""]);
        expect(stderr).toContain(refusal);
        expect(stderr.trim().split("\n")).toHaveLength(1);
      }
      expect(snapshot(place.folder)).toEqual(before);
    });

    it.each(["uninstall", "restore", "status"])("which survives hooks %s", async command => {
      make();
      const before = snapshot(place.folder);
      const { status, stderr } = command === "status" ? await place.ask(["hooks", command]) : await hooks(command);
      expect(status, stderr).not.toBeNull();
      expect(stderr).not.toContain("    at ");
      expect(snapshot(place.folder)).toEqual(before);
    });
  });
});

describe("status", () => {
  it("reports the other files if one cannot be read", async () => {
    mkdirSync(file());
    place.write(".claude/settings.local.json", "{}");
    const { status, stdout, stderr } = await place.ask(["hooks", "status"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("is a folder")]);
    expect(stdout).toMatch(/^project {2}off .*\nlocal {4}off .*\n$/);
  });
});

const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.log("skipped: settings files of other users (only root can make them)");
const expectRoot = () => expect(isRoot || process.env["CI"] !== "true").toBe(true);
/** Replaces the shell: the program runs as nobody. */
const AS_NOBODY = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"';

it("tests with other users are only skipped outside of CI", expectRoot);

describe.skipIf(!isRoot)("the settings of another user", () => {
  it("keep their owner and permissions, whatever the umask is", async () => {
    writeFileSync(file(), PLAIN);
    chownSync(file(), 4321, 1234);
    chmodSync(file(), 0o664);
    const before = snapshot(folder());
    const { status } = await place.run(["hooks", "install", "--yes"], {}, 30_000, "umask 077");
    expect(status).toBe(0);
    const { uid, gid, mode } = statSync(file());
    expect([uid, gid, mode & 0o777]).toEqual([4321, 1234, 0o664]);
    await place.run(["hooks", "uninstall", "--yes"], {}, 30_000, "umask 077");
    expect(snapshot(folder())).toEqual(before);
  });

  it("are left alone if the owner could not be kept", async () => {
    writeFileSync(file(), PLAIN, { mode: 0o666 });
    chmodSync(file(), 0o666);
    for (const path of [place.folder, folder(), place.path("home", ".local", "share")]) chmodSync(path, 0o777);
    const before = snapshot(place.folder);
    const { status, stderr } = await place.run(["hooks", "install", "--yes"], {}, 30_000, AS_NOBODY);
    expect([status, stderr]).toEqual([1, expect.stringContaining("it could not be written (EPERM")]);
    expect(snapshot(place.folder)).toEqual(before);
  });

  it("are left alone if they cannot be read", async () => {
    writeFileSync(file(), PLAIN, { mode: 0o600 });
    chmodSync(place.folder, 0o777);
    const { status, stderr } = await place.run(["hooks", "install", "--yes"], {}, 30_000, AS_NOBODY);
    expect([status, stderr]).toEqual([1, expect.stringContaining("no permission to read; nothing was changed")]);
    expect(readFileSync(file(), "utf8")).toBe(PLAIN);
  });
});
