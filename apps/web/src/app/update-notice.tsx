import { Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { putOffNewVersion, takeNewVersion, useNewVersion } from '../core/pwa/new-version.ts';
import { wantTexts } from '../core/i18n/texts.ts';
import { productName } from '../product.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { Notice } from './alerts/notice.tsx';

await wantTexts('app');

/** Says that a newer version is here. It is taken by a press and never by itself: somebody may be writing. */
export function UpdateNotice() {
  const { t } = useTranslation('app');
  const worker = useNewVersion();
  if (worker === undefined) return null;
  return (
    <Notice icon={Sparkles} title={t('update.title', { product: productName })} text={t('update.text')}>
      <CustomButton onClick={() => takeNewVersion(worker)}>{t('update.take')}</CustomButton>
      <CustomButton kind="secondary" onClick={putOffNewVersion}>
        {t('update.later')}
      </CustomButton>
    </Notice>
  );
}
