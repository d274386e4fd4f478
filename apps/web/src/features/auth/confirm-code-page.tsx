import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router';
import { showFeedback } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { FormHeading } from './form-heading.tsx';

await wantTexts('auth');

export const meta = pageMeta('auth', 'confirmCode');

function readEmail(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('email' in state)) return undefined;
  return typeof state.email === 'string' ? state.email : undefined;
}

/** Only after the sign-up form: without it there is no code to confirm. */
export default function ConfirmCodePage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const email = readEmail(useLocation().state);
  if (email === undefined) return <Navigate to={local(paths.signUp)} replace />;
  return (
    <>
      <FormHeading title={t('pages.confirmCode.title')} lead={t('confirmCode.lead', { email })} />
      <CodeField label={t('confirmCode.code')} onComplete={() => showFeedback('error', t('common.notYet'))} />
      <p className="mt-6">
        <Link
          to={local(paths.signUp)}
          className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t('confirmCode.back')}
        </Link>
      </p>
    </>
  );
}
