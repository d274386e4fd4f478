import { Download, Share, SquarePlus } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { promptInstall, isInstalled, isIos, useInstallOffer } from '../../../core/pwa/install.ts';
import { useFixed } from '../../../core/lib/use-fixed.ts';
import { productName } from '../../../product.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';

type Way = 'installed' | 'ios' | 'other';

function findWay(): Way | undefined {
  if (isInstalled()) return 'installed';
  return isIos() ? 'ios' : 'other';
}

/** Installs the app: a button if the browser supports it, otherwise instructions. */
export function InstallCard() {
  const { t } = useTranslation('app');
  const offer = useInstallOffer();
  const way = useFixed(findWay, undefined);
  const product = productName;

  return (
    <SettingsCard title={t('install.title', { product })} text={t('install.text')}>
      {way === 'installed' && <p>{t('install.done')}</p>}
      {way === 'ios' && (
        <ol className="flex flex-col gap-3">
          <li className="flex items-center gap-3">
            <Share aria-hidden className="size-6 shrink-0 text-accent" />
            {t('install.iosShare')}
          </li>
          <li className="flex items-center gap-3">
            <SquarePlus aria-hidden className="size-6 shrink-0 text-accent" />
            {t('install.iosAdd')}
          </li>
          <li className="text-muted">{t('install.iosSignIn')}</li>
        </ol>
      )}
      {way === 'other' && offer && (
        <CustomButton icon={<Download aria-hidden className="size-5" />} onClick={() => void promptInstall(offer)}>
          {t('install.press')}
        </CustomButton>
      )}
      {way === 'other' && !offer && <p className="text-muted">{t('install.menu', { product })}</p>}
    </SettingsCard>
  );
}
