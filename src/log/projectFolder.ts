/**
 * Which logs belong to a folder that is open in an editor. Claude Code names a project's folder of logs after the working
 * folder, each character but letters and digits replaced: the way back cannot be told, so names are only ever compared.
 */

/** Longer names are cut here and end in a hash. */
const MOST_CHARACTERS = 200;

const DRIVE = /^([A-Za-z]):(?=[\\/]|$)/;
const IN_WSL = /^[\\/]{2}(?:wsl\$|wsl\.localhost)(?=[\\/][^\\/]+)/i;

/**
 * Whether a log is of a session in the folder or below it. Case does not count: editors and shells spell one drive `c:`
 * and `C:`, and most file systems of Windows and macOS do not tell case apart. Where one does, a few logs too many are
 * taken for the folder's, so this is for putting logs in order, never for leaving any out.
 */
export function isLogOfFolder(log: string, folder: string): boolean {
  const names = spellings(folder.replace(/[\\/]+$/, "")).map(nameOfLogs);
  const isOwn = (part: string) =>
    names.some(name => part === name || part.startsWith(`${name.slice(0, MOST_CHARACTERS)}-`));
  return log
    .split(/[\\/]/)
    .slice(0, -1)
    .some(part => isOwn(part.toLowerCase()));
}

function nameOfLogs(folder: string): string {
  return folder
    .normalize("NFC")
    .replace(/[^A-Za-z0-9]/g, "-")
    .toLowerCase();
}

/** The names that one folder has in Windows and in the Linux beside it (WSL): Claude Code may run in either. */
function spellings(folder: string): string[] {
  const drive = DRIVE.exec(folder)?.[1]?.toLowerCase();
  if (drive !== undefined) return [folder, `/mnt/${drive}${folder.slice(2)}`];
  if (!IN_WSL.test(folder)) return [folder];
  const below = folder.replace(IN_WSL, "");
  return [`//wsl$${below}`, `//wsl.localhost${below}`, below.replace(/^[\\/][^\\/]+/, "")];
}
