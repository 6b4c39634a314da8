/**
 * How a browser gets the ticket. Every user of the machine can read the command line that starts a browser, so it names
 * only a file: a page that leads on to the ticket's address, and that nobody but the user can read.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../files/folders.js";
import { PrivateFolder } from "./privateFolder.js";

const NAME = "dedup-inspector-open";

export class Handover {
  /** What the browser is to open. */
  readonly address: string;
  readonly #folder: PrivateFolder;
  readonly #timer: NodeJS.Timeout;

  /** `ticketAddress` is of no use after `lifeMs`, and neither is the file. */
  constructor(ticketAddress: string, lifeMs: number, places: readonly string[] = handoverPlaces()) {
    this.#folder = folderIn(places);
    this.address = pathToFileURL(this.#folder.write("open.html", redirectTo(ticketAddress))).href;
    this.#timer = setTimeout(() => this.end(), lifeMs);
    this.#timer.unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#folder.remove();
  }
}

/**
 * Where to put the file, best first. A browser from a snap sees neither the temporary folder nor anything hidden in the
 * home folder, but whatever else is in there.
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

function folderIn([place = "", ...others]: readonly string[]): PrivateFolder {
  try {
    return new PrivateFolder(place, NAME);
  } catch (error) {
    if (others.length === 0) throw error;
    return folderIn(others);
  }
}

/** The address is ours: nothing in it needs escaping. */
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
