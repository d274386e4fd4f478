import { useTranslation } from 'react-i18next';

/** When the app locks by itself, in words. */
export function useDelayName(): (minutes: number) => string {
  const { t } = useTranslation('lock');
  return (minutes) => (minutes === 0 ? t('after.close') : t('after.minutes', { count: minutes }));
}
