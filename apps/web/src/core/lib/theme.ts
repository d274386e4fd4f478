import type { Settings } from './settings.ts';

const darkQuery = '(prefers-color-scheme: dark)';

function prefersDark(): boolean {
  return window.matchMedia(darkQuery).matches;
}

export function isDark({ theme }: Settings): boolean {
  return theme === 'dark' || (theme === 'auto' && prefersDark());
}

export function showDark(dark: boolean): void {
  document.documentElement.classList.toggle('dark', dark);
}

export function showInterface(settings: Settings): void {
  const { dataset } = document.documentElement;
  dataset['text'] = settings.textSize;
  dataset['wallpaper'] = settings.wallpaper;
  dataset['motion'] = settings.reduceMotion ? 'none' : 'full';
}

export function onSystemTheme(listener: () => void): () => void {
  const query = window.matchMedia(darkQuery);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
