import { readChoice, storeChoice } from './stored-choices.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The chosen theme. By default, pages follow the system. */
export function chosenTheme(): Theme {
  const chosen = readChoice<Theme>('theme');
  return chosen !== undefined && themes.includes(chosen) ? chosen : 'system';
}

/** Shows the pages in a theme, and stores the choice. */
export function chooseTheme(theme: Theme): void {
  storeChoice('theme', theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
