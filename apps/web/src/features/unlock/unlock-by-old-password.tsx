import { useTranslation } from '../../core/i18n/use-translation.ts';
import { loadUnlocking } from '../../core/session/load-account.ts';
import { SecretForm } from './secret-form.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

export function UnlockByOldPassword({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');
  return (
    <SecretForm
      title={t('ways.oldPassword.title')}
      text={t('oldPassword.text')}
      label={t('oldPassword.label')}
      submit={t('unlock.open')}
      onSecret={async (password) => onSettled(await (await loadUnlocking()).openWithOldPassword(account, password))}
    />
  );
}
