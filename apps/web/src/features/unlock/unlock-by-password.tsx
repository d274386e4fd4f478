import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { SecretForm } from './secret-form.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

/** For users who signed in with Google, or whose browser lost the key. */
export function UnlockByPassword({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');

  async function open(password: string): Promise<void> {
    const isOpen = await (await loadUnlocking()).openWithPassword(account, password);
    if (isOpen) onSettled('done');
    else showFeedback('error', t('unlock.doesNotOpen'));
  }

  return (
    <SecretForm
      title={t('ways.password.title')}
      text={t('ways.password.text')}
      label={t('unlock.password')}
      submit={t('unlock.open')}
      onSecret={open}
    />
  );
}
