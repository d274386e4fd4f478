import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'resetPassword');

export default function ResetPasswordPage() {
  const { t } = useTranslation('auth');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.resetPassword.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.resetPassword.description')}</p>
    </>
  );
}
