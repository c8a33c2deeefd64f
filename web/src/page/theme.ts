// Light or dark: as the system prefers, until somebody chooses.

const KEY = "hmc-theme";

export function applyTheme(): void {
  const kept = read();
  if (kept) document.documentElement.dataset.theme = kept;
}

export function nextTheme(): void {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem(KEY, dataset.theme);
  } catch {
    // A frame on another page may have no memory: the choice lasts as long as the page.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
