import { Sparkles } from 'lucide-react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { dismissNewVersion, activateNewVersion, useNewVersion } from '../core/pwa/new-version.ts';
import { requestTexts } from '../core/i18n/texts.ts';
import { productName } from '../product.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { AlertCard } from './alerts/alert-card.tsx';

await requestTexts('app');

/** Offers a newer version. Only a press loads it, because the user may be writing. */
export function UpdateAlert() {
  const { t } = useTranslation('app');
  const worker = useNewVersion();
  if (worker === undefined) return null;
  return (
    <AlertCard icon={Sparkles} title={t('update.title', { product: productName })} text={t('update.text')}>
      <CustomButton onClick={() => activateNewVersion(worker)}>{t('update.take')}</CustomButton>
      <CustomButton kind="secondary" onClick={dismissNewVersion}>
        {t('update.later')}
      </CustomButton>
    </AlertCard>
  );
}
