import { describe, expect, it } from "vitest";
import { browserCommand } from "../../../src/serve/handover.js";

describe("the browser", () => {
  it.each([
    ["darwin", {}, ["open"]],
    ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
    ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
    ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
    ["linux", {}, undefined],
    ["linux", { DISPLAY: "" }, undefined],
    ["freebsd", {}, undefined],
  ] as const)("on %s with %j is opened by %j", (platform, env, command) => {
    expect(browserCommand(platform, env)).toEqual(command);
  });
});
