import { useTranslation } from '../../../core/i18n/use-translation.ts';

/** Text for the delay after which the app locks. */
export function useDelayName(): (minutes: number) => string {
  const { t } = useTranslation('lock');
  return (minutes) => (minutes === 0 ? t('after.close') : t('after.minutes', { count: minutes }));
}
