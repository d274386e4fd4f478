import { useTranslation } from '../../core/i18n/use-translation.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { SecretForm } from './secret-form.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

/** The messages are unlocked in this browser; the password makes them available on the user's next device too. */
export function BindPassword({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');

  async function bind(password: string): Promise<void> {
    await (await loadUnlocking()).bindPassword(account, password);
    onSettled('done');
  }

  return (
    <SecretForm
      title={t('bind.title')}
      text={t('bind.text')}
      label={t('bind.label')}
      submit={t('bind.submit')}
      onSecret={bind}
    />
  );
}
