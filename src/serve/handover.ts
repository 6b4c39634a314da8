/**
 * Opens the page in a browser. Every user of the machine can read the command line that starts a browser, so it only
 * names a file that redirects to the ticket's address, and that nobody but the user can read.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../files/folders.js";
import { PrivateFolder } from "./privateFolder.js";

const NAME = "dedup-inspector-open";

export class Handover {
  /** What the browser should open. */
  readonly address: string;
  readonly #folder: PrivateFolder;
  readonly #timer: NodeJS.Timeout;

  /** The file is removed after `lifeMs`, when the ticket has expired. */
  constructor(ticketAddress: string, lifeMs: number, places: readonly string[] = handoverPlaces()) {
    this.#folder = folderIn(places);
    this.address = fileAddress(this.#folder.write("open.html", redirectTo(ticketAddress)));
    this.#timer = setTimeout(() => this.end(), lifeMs);
    this.#timer.unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#folder.remove();
  }
}

/**
 * Where to put the file, best first. A browser installed as a snap sees neither the temporary folder nor hidden files in
 * the home folder, but everything else in there.
 */
export function handoverPlaces(
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
  temporary: string = temporaryFolder(),
  exists: (path: string) => boolean = existsSync,
): string[] {
  const needsHome = platform === "linux" && isAbsolute(home) && exists("/snap");
  return needsHome ? [home, temporary] : [temporary];
}

/** Windows decodes escaped bytes in the code page of the user's language, not as UTF-8; other characters need no escape. */
export function fileAddress(path: string, platform: NodeJS.Platform = process.platform): string {
  const windows = platform === "win32";
  const { href } = pathToFileURL(path, { windows });
  return windows ? href.replace(/(?:%[89A-F][0-9A-F])+/g, decodeURIComponent) : href;
}

function folderIn([place = "", ...others]: readonly string[]): PrivateFolder {
  try {
    return new PrivateFolder(place, NAME);
  } catch (error) {
    if (others.length === 0) throw error;
    return folderIn(others);
  }
}

/** The address is our own: nothing in it needs escaping. */
function redirectTo(address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Dedup Inspector</title>
</head>
<body>
<p><a href="${address}">Open Dedup Inspector</a></p>
</body>
</html>
`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The command that opens an address in the user's browser; undefined if there is no display. */
export function browserCommand(platform: NodeJS.Platform, env: Environment): string[] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const hasDisplay = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some(name => name !== undefined && name !== "");
  return hasDisplay ? ["xdg-open"] : undefined;
}

/** Starts the browser, detached. The page's address is always printed, so a failure is not reported. */
export function runBrowser([command = "", ...args]: readonly string[], address: string, failed: () => void): void {
  const child = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  child.on("error", failed);
  child.unref();
}
