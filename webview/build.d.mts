import type { BuildOptions } from "esbuild";

export const pageBuild: BuildOptions;
