import { spawn } from "node:child_process";

type Environment = Readonly<Record<string, string | undefined>>;

/** The command that opens an address in the user's browser; undefined where there is nothing to show it on. */
export function browserCommand(platform: NodeJS.Platform, env: Environment): string[] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  const hasDisplay = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some(name => name !== undefined && name !== "");
  return hasDisplay ? ["xdg-open"] : undefined;
}

/** Starts the browser and lets go of it. The page's address is printed in any case, so a failure needs no words. */
export function runBrowser([command = "", ...args]: readonly string[], address: string, failed: () => void): void {
  const child = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  child.on("error", failed);
  child.unref();
}
