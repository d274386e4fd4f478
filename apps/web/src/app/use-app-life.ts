import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { stripLocale } from '../core/locale.ts';
import { paths } from '../core/paths.ts';
import { restoreSession, type Session, useSession } from '../core/session.ts';
import { followOtherTabs, readSettings, useSettings } from '../core/settings.ts';
import { isDark, onSystemTheme, showDark, showInterface } from '../core/theme.ts';
import { takeNewBuild, watchBuild } from './watch-build.ts';

function isVisitorHome(path: string, session: Session): boolean {
  return path === paths.home && session.status !== 'signed-in' && !readSettings().isSignedInHere;
}

/** What runs as long as the page is open. */
export function useAppLife(): void {
  const settings = useSettings();
  const session = useSession();
  const path = stripLocale(useLocation().pathname);

  useEffect(() => {
    void restoreSession();
    const stopFollowing = followOtherTabs();
    const stopWatching = watchBuild();
    return () => {
      stopFollowing();
      stopWatching();
    };
  }, []);

  useEffect(() => takeNewBuild(path), [path]);

  useEffect(() => showInterface(settings), [settings]);

  // A visitor's landing page is light. Pressing the toggle there still works: this runs on arrival, not on a change.
  useEffect(() => {
    if (isVisitorHome(path, session)) showDark(false);
  }, [path, session]);

  useEffect(() => {
    if (isVisitorHome(path, session)) return undefined;
    showDark(isDark(settings));
    return onSystemTheme(() => showDark(isDark(settings)));
  }, [settings, path, session]);
}
