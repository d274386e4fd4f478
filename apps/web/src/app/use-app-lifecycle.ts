import { useEffect } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useLocation } from 'react-router';
import { showFeedback } from '../core/lib/feedback.ts';
import { stripLocale } from '../core/i18n/locale.ts';
import { paths } from '../core/lib/paths.ts';
import { type Session, useSession } from '../core/session/session.ts';
import { followOtherSessions, restoreSession } from '../core/session/session-start.ts';
import { followOtherTabs, readSettings, useSettings } from '../core/lib/settings.ts';
import { isDark, onSystemTheme, showDark, showInterface } from '../core/lib/theme.ts';
import { reloadIfOutdated, watchBuild } from './watch-build.ts';

function isVisitorHome(path: string, session: Session): boolean {
  return path === paths.home && session.status !== 'signed-in' && !readSettings().isSignedInHere;
}

/** Reports a signed-in user to the server, and explains why a session has ended. */
function useSessionLifecycle(session: Session): void {
  const { t } = useTranslation('shell');
  const account = session.status === 'signed-in' ? session.account.id : undefined;
  const signOutReason = session.status === 'signed-out' ? session.signOutReason : undefined;

  useEffect(() => {
    if (account === undefined) return undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    // Not in the first script, because visitors have no session to maintain.
    void import('../core/session/session-lifecycle.ts').then(({ maintainSession }) => {
      if (!isOver) stop = maintainSession(account);
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [account]);

  useEffect(() => {
    if (signOutReason) showFeedback('error', t(`signOutReason.${signOutReason}`));
  }, [signOutReason, t]);
}

/** Effects that run as long as the page is open. */
export function useAppLifecycle(): void {
  const settings = useSettings();
  const session = useSession();
  const path = stripLocale(useLocation().pathname);

  useEffect(() => {
    void restoreSession();
    const stops = [followOtherTabs(), followOtherSessions(), watchBuild()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  useSessionLifecycle(session);

  useEffect(() => reloadIfOutdated(path), [path]);

  useEffect(() => showInterface(settings), [settings]);

  // A visitor's landing page is light. The toggle still works there: this runs on arrival, not on a change.
  useEffect(() => {
    if (isVisitorHome(path, session)) showDark(false);
  }, [path, session]);

  useEffect(() => {
    if (isVisitorHome(path, session)) return undefined;
    showDark(isDark(settings));
    return onSystemTheme(() => showDark(isDark(settings)));
  }, [settings, path, session]);
}
