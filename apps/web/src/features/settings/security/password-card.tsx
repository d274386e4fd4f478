import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { PasswordDialog } from './password-dialog.tsx';

export function PasswordCard() {
  const { t } = useTranslation('settings');
  const [isChanging, setIsChanging] = useState(false);
  return (
    <SettingsCard title={t('password.title')} text={t('password.text')}>
      <CustomButton kind="secondary" onClick={() => setIsChanging(true)}>
        {t('password.change')}
      </CustomButton>
      {isChanging && <PasswordDialog onClose={() => setIsChanging(false)} />}
    </SettingsCard>
  );
}
