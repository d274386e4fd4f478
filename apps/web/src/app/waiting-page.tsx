import { useTranslation } from 'react-i18next';

export function WaitingPage() {
  const { t } = useTranslation('shell');
  return (
    <main id="content">
      <p role="status">{t('waiting.label')}</p>
    </main>
  );
}
