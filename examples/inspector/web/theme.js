// Light or dark: as the system, until the user chooses.
import { byId } from "./dom.js";

const KEY = "agui-inspector-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function apply(theme) {
  document.documentElement.dataset.theme = theme ?? (dark.matches ? "dark" : "light");
}

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // The browser keeps nothing for this page.
    return null;
  }
}

export function switchTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  apply(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then the choice holds until the page is closed.
  }
}

apply(chosen());
dark.addEventListener("change", () => apply(chosen()));
byId("theme").addEventListener("click", switchTheme);
