import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { showFeedback } from '../lib/feedback.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { readSignUpInvite } from './sign-up-invite.ts';

export function useGoogle(): { isLeaving: boolean; go: (next?: string) => Promise<void> } {
  const { t } = useTranslation('shell');
  const { code } = useLocale();
  const [isLeaving, setIsLeaving] = useState(false);

  // After the back button from Google, the browser restores the page in its former state.
  useEffect(() => {
    const handleShow = (): void => setIsLeaving(false);
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, []);

  async function go(next?: string): Promise<void> {
    setIsLeaving(true);
    const { goToGoogle } = await import('./google.ts');
    const outcome = await goToGoogle(code, next, readSignUpInvite());
    if (outcome === 'leaving') return;
    setIsLeaving(false);
    showFeedback('error', t(`google.${outcome}`));
  }

  return { isLeaving, go };
}
