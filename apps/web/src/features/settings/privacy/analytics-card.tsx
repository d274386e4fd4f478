import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { answerAnalytics, isTrackingRefused, useAnalytics } from '../../../core/firebase/analytics-consent.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { Switch } from '../../../ui/switch.tsx';
import { SettingsCard } from '../settings-card.tsx';

await requestTexts('analytics');

/** Shown only if the operator has configured analytics. */
export function AnalyticsCard() {
  const { t } = useTranslation('analytics');
  const { measurementId, isAllowed } = useAnalytics();
  if (measurementId === undefined) return null;
  const isRefused = isTrackingRefused();
  return (
    <SettingsCard title={t('settings.title')}>
      <Switch
        hint={isRefused ? t('settings.refused') : t('settings.hint')}
        checked={isAllowed === true && !isRefused}
        disabled={isRefused}
        onCheckedChange={answerAnalytics}
      >
        {t('settings.switch')}
      </Switch>
    </SettingsCard>
  );
}
