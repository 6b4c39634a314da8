import type { Theme } from "../draw/colors.js";

/** The page's current colours. Each is a theme variable; if a theme lacks one, the text colour is used instead. */
export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const color = (...names: string[]) => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== "") return value;
    }
    return style.color;
  };
  const size = Number.parseFloat(style.fontSize) || 13;
  return {
    foreground: color("foreground"),
    muted: color("descriptionForeground", "foreground"),
    background: color("editor-background", "panel-background"),
    border: color("panel-border", "contrastBorder", "descriptionForeground"),
    focus: color("focusBorder"),
    hit: color("charts-green"),
    miss: color("charts-blue"),
    forgone: color("charts-yellow"),
    invalidated: color("charts-red", "errorForeground"),
    native: color("charts-purple"),
    contrast: style.getPropertyValue("--vscode-contrastBorder").trim() !== "",
    fontFamily: style.fontFamily,
    fontSize: Math.round(Math.min(12, Math.max(9, size * 0.86))),
  };
}

/**
 * VS Code writes a new theme's variables to <html style> and its kind to <body class>. Returns a function that stops
 * watching.
 */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class"] });
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  return () => observer.disconnect();
}
