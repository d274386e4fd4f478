// What this browser remembers about the interface. Never anything about the person: sign-out keeps it.
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

/** Private windows may refuse storage altogether; the page then simply forgets. */
function readItem(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeItem(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Nothing to do: see readItem.
  }
}

function parseSettings(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function loadSettings(): Settings {
  if (typeof window === 'undefined') return initial;
  const stored = parseSettings(readItem(settingsKey));
  const theme = readItem(themeKey);
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
  const { theme, ...rest } = next;
  writeItem(themeKey, theme);
  writeItem(settingsKey, JSON.stringify({ ...rest, theme }));
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
