import { Unplug } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useFixed } from '../../core/lib/use-fixed.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

await requestTexts('auth');

export const meta = pageMeta('auth', 'loginFailed');

const reasons = {
  unconfirmed: 'loginFailed.unconfirmed',
  disabled: 'signIn.disabled',
  sign_ups_closed: 'loginFailed.closed',
  invite_required: 'loginFailed.invite',
  invite_gone: 'loginFailed.gone',
  email_not_allowed: 'loginFailed.emailNotAllowed',
} as const;

function readText() {
  const reason = new URLSearchParams(window.location.search).get('reason') ?? '';
  return isReason(reason) ? reasons[reason] : 'loginFailed.text';
}

function isReason(text: string): text is keyof typeof reasons {
  return Object.hasOwn(reasons, text);
}

export default function LoginFailedPage() {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  // Prerendered HTML has no query, so the reason is read after hydration.
  const text = useFixed(readText, 'loginFailed.text');
  return (
    <EmptyState
      heading="h1"
      picture={<Unplug aria-hidden className="size-20" strokeWidth={1.25} />}
      title={t('pages.loginFailed.title')}
      text={t(text)}
      action={
        <>
          <Link to={local(paths.signIn)} className={buttonClass({})}>
            {t('loginFailed.again')}
          </Link>
          {text !== 'loginFailed.closed' && (
            <Link to={local(paths.signUp)} className={buttonClass({ kind: 'secondary' })}>
              {t('loginFailed.email')}
            </Link>
          )}
        </>
      }
    />
  );
}
