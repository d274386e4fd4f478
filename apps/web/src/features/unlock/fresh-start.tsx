import { useTranslation } from '../../core/i18n/use-translation.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { withReauthentication } from '../../core/reauthentication/reauthentication.ts';
import { SecretForm } from './secret-form.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

/** Continues without the earlier messages, after a warning. */
export function FreshStart({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');

  async function start(password: string): Promise<void> {
    const unlocking = await loadUnlocking();
    await withReauthentication(() => unlocking.startFresh(account, password));
    onSettled('done');
  }

  return (
    <SecretForm
      title={t('ways.fresh.title')}
      text={t('fresh.text')}
      label={t('fresh.label')}
      submit={t('fresh.submit')}
      isDangerous
      onSecret={start}
    >
      <ul className="list-disc pl-5 text-muted">
        <li>{t('fresh.messages')}</li>
        <li>{t('fresh.kept')}</li>
        <li>{t('fresh.contacts')}</li>
      </ul>
    </SecretForm>
  );
}
