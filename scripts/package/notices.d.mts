/** Names and folders. */
export function bundledPackages(): Map<string, string>;
export function notices(): string;
