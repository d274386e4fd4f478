import { useTranslation } from '../../../core/i18n/use-translation.ts';

/** When the app locks by itself, in words. */
export function useDelayName(): (minutes: number) => string {
  const { t } = useTranslation('lock');
  return (minutes) => (minutes === 0 ? t('after.close') : t('after.minutes', { count: minutes }));
}
