import { afterEach, expect, it } from 'vitest';
import { changeSettings, loadSettings, settingsKey, themeKey } from './settings.ts';

afterEach(() => window.localStorage.clear());

it('the theme is stored under its own key, the flags under the settings key', () => {
  changeSettings({ theme: 'dark', textSize: 'large' });
  expect(window.localStorage.getItem(themeKey)).toBe('dark');
  expect(JSON.parse(window.localStorage.getItem(settingsKey) ?? '')).toMatchObject({ textSize: 'large' });
  expect(loadSettings()).toMatchObject({ theme: 'dark', textSize: 'large' });
});

it.each(['null', '[]', '{"textSize":7,"reduceMotion":"yes","sendKey":"any"}', 'not json'])(
  'what a broken store holds is not believed: %s',
  (text) => {
    window.localStorage.setItem(settingsKey, text);
    window.localStorage.setItem(themeKey, 'purple');
    expect(loadSettings()).toEqual({
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
    });
  },
);
