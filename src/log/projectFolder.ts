/**
 * Which logs belong to a folder that is open in an editor. Claude Code names a project's log folder after the working
 * folder, with everything but letters and digits replaced. That cannot be reversed, so names are only compared.
 */

/** Longer names are truncated here and end in a hash. */
const MAX_CHARACTERS = 200;

const DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;
const IN_WSL = /^[\\/]{2}(?:wsl\$|wsl\.localhost)(?=[\\/][^\\/]+)/i;

/**
 * Whether a log belongs to a session in the folder or below it. Case is ignored: editors and shells write the same drive
 * as `c:` and `C:`, and most file systems on Windows and macOS ignore case. On others, a few logs too many may match, so
 * use this to sort logs, never to filter them.
 */
export function isLogOfFolder(log: string, folder: string): boolean {
  const names = spellings(folder.replace(/[\\/]+$/, "")).map(nameOfLogs);
  const isOwn = (part: string) =>
    names.some(name => part === name || part.startsWith(`${name.slice(0, MAX_CHARACTERS)}-`));
  return log
    .split(/[\\/]/)
    .slice(0, -1)
    .some(part => isOwn(part.toLowerCase()));
}

/**
 * Whether a session belongs to a folder or one below it: by its working folder, or by its log's path while that is
 * unknown.
 */
export function isSessionOfFolder(log: string, project: string, folder: string): boolean {
  if (project === "") return isLogOfFolder(log, folder);
  const inside = comparable(project);
  return spellings(folder.replace(/[\\/]+$/, "")).some(spelling => inside.startsWith(comparable(spelling)));
}

/** A path with the same spelling on all systems and a trailing slash, so that a name's prefix does not match. */
function comparable(path: string): string {
  return `${path
    .normalize("NFC")
    .replace(/[\\/]+/g, "/")
    .replace(/\/$/, "")
    .toLowerCase()}/`;
}

function nameOfLogs(folder: string): string {
  return folder
    .normalize("NFC")
    .replace(/[^A-Za-z0-9]/g, "-")
    .toLowerCase();
}

/** The paths of one folder in Windows and in WSL: Claude Code may run in either. */
function spellings(folder: string): string[] {
  const drive = DRIVE.exec(folder)?.[1]?.toLowerCase();
  if (drive !== undefined) return [folder, `/mnt/${drive}${folder.slice(2)}`];
  if (!IN_WSL.test(folder)) return [folder];
  const below = folder.replace(IN_WSL, "");
  return [`//wsl$${below}`, `//wsl.localhost${below}`, below.replace(/^[\\/][^\\/]+/, "")];
}
