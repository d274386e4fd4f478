import { useTranslation } from 'react-i18next';
import { pageMeta } from '../../core/page-meta.ts';
import { wantTexts } from '../../core/texts.ts';

await wantTexts('auth');

export const meta = pageMeta('auth', 'loginFailed');

export default function LoginFailedPage() {
  const { t } = useTranslation('auth');
  return (
    <>
      <h1 className="text-headline font-bold">{t('pages.loginFailed.title')}</h1>
      <p className="mt-2 text-muted">{t('pages.loginFailed.description')}</p>
    </>
  );
}
