// What this browser remembers about the interface. Never anything about the person: sign-out keeps it.
import { readJson, writeJson } from './local-json.ts';
import { createStore, useStore } from './store.ts';

export type ThemeMode = 'auto' | 'light' | 'dark';
export type TextSize = 'small' | 'normal' | 'large';
export type SendKey = 'enter' | 'ctrl-enter';
/** What lies behind a chat. */
export const wallpapers = ['ornament', 'plain', 'steppe', 'night'] as const;
type Wallpaper = (typeof wallpapers)[number];

export interface Settings {
  theme: ThemeMode;
  textSize: TextSize;
  reduceMotion: boolean;
  /** Which key sends a message; the other makes a line. */
  sendKey: SendKey;
  wallpaper: Wallpaper;
  /** Whether new messages are shown by the browser, and whether with their words. */
  isNotifying: boolean;
  hasWordsInNotices: boolean;
  /** Whether they are heard: while the page is looked at, and while it is not. */
  hasSoundHere: boolean;
  hasSoundAway: boolean;
  /** The question whether to show them was answered, or put off: it is not asked again. */
  wasAskedToNotify: boolean;
  /** A user is signed in here, so the first paint and the first request may count on it. Not a proof of anything. */
  isSignedInHere: boolean;
}

export const themeKey = 'theme';
export const settingsKey = 'globalSettings';

const initial: Settings = {
  theme: 'auto',
  textSize: 'normal',
  reduceMotion: false,
  sendKey: 'enter',
  wallpaper: 'ornament',
  isNotifying: false,
  hasWordsInNotices: true,
  hasSoundHere: false,
  hasSoundAway: true,
  wasAskedToNotify: false,
  isSignedInHere: false,
};

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.some((item) => item === value);
}

/** A plain word, for the script that runs before the first paint. */
function readTheme(): string | null {
  try {
    return window.localStorage.getItem(themeKey);
  } catch {
    return null;
  }
}

function writeTheme(theme: ThemeMode): void {
  try {
    window.localStorage.setItem(themeKey, theme);
  } catch {
    // As in local-json.ts.
  }
}

export function loadSettings(): Settings {
  if (typeof window === 'undefined') return initial;
  const stored = readJson(settingsKey);
  const theme = readTheme();
  return {
    theme: isOneOf(['auto', 'light', 'dark'], theme) ? theme : initial.theme,
    textSize: isOneOf(['small', 'normal', 'large'], stored['textSize']) ? stored['textSize'] : initial.textSize,
    reduceMotion: stored['reduceMotion'] === true,
    sendKey: isOneOf(['enter', 'ctrl-enter'], stored['sendKey']) ? stored['sendKey'] : initial.sendKey,
    wallpaper: isOneOf(wallpapers, stored['wallpaper']) ? stored['wallpaper'] : initial.wallpaper,
    isNotifying: stored['isNotifying'] === true,
    hasWordsInNotices: stored['hasWordsInNotices'] !== false,
    hasSoundHere: stored['hasSoundHere'] === true,
    hasSoundAway: stored['hasSoundAway'] !== false,
    wasAskedToNotify: stored['wasAskedToNotify'] === true,
    isSignedInHere: stored['isSignedInHere'] === true,
  };
}

const store = createStore(loadSettings());

export function readSettings(): Settings {
  return store.read();
}

export function changeSettings(change: Partial<Settings>): void {
  const next = { ...store.read(), ...change };
  store.write(next);
  writeTheme(next.theme);
  writeJson(settingsKey, next);
}

export function useSettings(): Settings {
  return useStore(store, initial);
}

function handleStorage(event: StorageEvent): void {
  if (event.key === themeKey || event.key === settingsKey) store.write(loadSettings());
}

/** Another tab changed them. */
export function followOtherTabs(): () => void {
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}
