import { ChartNoAxesColumn } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useMatches } from 'react-router';
import { COLLECT_URL, createSender, nameRoute } from '../core/firebase/analytics.ts';
import { answerAnalytics, isTrackingRefused, useAnalytics } from '../core/firebase/analytics-consent.ts';
import { paths } from '../core/lib/paths.ts';
import { requestTexts } from '../core/i18n/texts.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { AlertCard } from './alerts/alert-card.tsx';

await requestTexts('analytics');

const sender = createSender({
  url: COLLECT_URL,
  origin: location.origin,
  random: crypto.getRandomValues(new Uint32Array(1))[0]!,
  now: Date.now(),
});

/** Asks for consent to usage statistics, beside the chat list, and sends the page views of a person who agreed. */
export function AnalyticsTracker({ canAsk }: { canAsk: boolean }) {
  const { t } = useTranslation('analytics');
  const { tag } = useLocale();
  const { isAllowed } = useAnalytics();
  const page = nameRoute(useMatches().at(-1)?.id ?? '');

  useEffect(() => {
    if (isAllowed === true) void sender.send({ page, language: tag });
  }, [isAllowed, page, tag]);

  if (!canAsk || isAllowed !== undefined || isTrackingRefused() || page !== paths.contacts) return null;
  return (
    <AlertCard isQuiet icon={ChartNoAxesColumn} title={t('ask.title')} text={t('ask.text')}>
      <CustomButton kind="secondary" onClick={() => answerAnalytics(true)}>
        {t('ask.yes')}
      </CustomButton>
      <CustomButton kind="secondary" onClick={() => answerAnalytics(false)}>
        {t('ask.no')}
      </CustomButton>
    </AlertCard>
  );
}
