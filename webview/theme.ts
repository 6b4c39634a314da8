/** Watches for changes of colours, and sets them in a browser. */
import { signal } from "@preact/signals";

/** Incremented whenever the theme changes: canvases subscribe to it and repaint. */
export const themeVersion = signal(0);

/** VS Code puts its variables on <html> and the kind of theme on <body>; both change with the theme. */
export function watchTheme(): void {
  const observer = new MutationObserver(() => themeVersion.value++);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class", "data-theme"] });
  observer.observe(document.body, { attributes: true, attributeFilter: ["class"] });
}

/** In a browser the page follows the system: see styles/browser.css. The controls depend on the class. */
export function useSystemTheme(): void {
  document.documentElement.classList.add("browser");
  const light = matchMedia("(prefers-color-scheme: light)");
  const contrast = matchMedia("(prefers-contrast: more)");
  const apply = () => {
    const lightness = light.matches ? "light" : "dark";
    const theme = contrast.matches ? (light.matches ? "high-contrast-light" : "high-contrast") : lightness;
    document.documentElement.dataset["theme"] = theme;
    document.body.className = `vscode-${theme}`;
  };
  light.addEventListener("change", apply);
  contrast.addEventListener("change", apply);
  apply();
}

/** The value of a theme variable, for canvases. */
export function colour(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}
