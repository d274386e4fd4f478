// Settings of the interface in this browser. They contain nothing about the person, so a sign-out keeps them.
import { readJson, writeJson } from './local-json.ts';
import { createStore, useStore } from './store.ts';

export type ThemeMode = 'auto' | 'light' | 'dark';
export type TextSize = 'small' | 'normal' | 'large';
export type SendKey = 'enter' | 'ctrl-enter';
/** The background of a chat. */
export const wallpapers = ['ornament', 'plain', 'steppe', 'night'] as const;
type Wallpaper = (typeof wallpapers)[number];

export interface Settings {
  theme: ThemeMode;
  textSize: TextSize;
  reduceMotion: boolean;
  /** Which key sends a message; the other one adds a line. */
  sendKey: SendKey;
  wallpaper: Wallpaper;
  /** Whether the browser shows notifications of new messages, and whether those contain the text. */
  isNotifying: boolean;
  hasWordsInNotices: boolean;
  /** Whether new messages sound: while the page is visible, and while it is not. */
  hasSoundHere: boolean;
  hasSoundAway: boolean;
  /** The person has answered or dismissed the question about notifications, so it is not asked again. */
  wasAskedToNotify: boolean;
  /** A user is signed in here, for the first paint and the first request. It proves nothing to the server. */
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

/** A plain string, because the script that runs before the first paint reads it. */
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
    // Without storage the value is lost with the page.
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

/** Applies changes that another tab makes. */
export function followOtherTabs(): () => void {
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}
