import { MailCheck, MailQuestion } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { explainError } from '../../core/lib/explain-error.ts';
import { loadRecovery } from '../../core/session/load-account.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SpentLink } from './spent-link.tsx';
import { linkProblemOf, useLinkToken } from './use-link-token.ts';

await requestTexts('auth', 'recovery');

export const meta = pageMeta('auth', 'verify');

interface Confirmed {
  result: 'half' | 'changed';
  address: string;
}

/** Confirms on a button press, never on load: email clients open links before their users do. */
export default function VerifyPage() {
  const { t } = useTranslation('recovery');
  const { t: tAuth } = useTranslation('auth');
  const local = useLocalPath();
  const [link, setLink] = useLinkToken();
  const [isWaiting, setIsWaiting] = useState(false);
  const [confirmed, setConfirmed] = useState<Confirmed>();

  async function confirm(token: string): Promise<void> {
    setIsWaiting(true);
    try {
      setConfirmed(await (await loadRecovery()).confirm(token));
    } catch (error) {
      const spent = linkProblemOf(error);
      if (spent) setLink({ is: spent });
      else explainError(error, { email_taken: tAuth('signUp.taken'), other: tAuth('common.offline') });
    } finally {
      setIsWaiting(false);
    }
  }

  if (confirmed) {
    return (
      <div role="status">
        <EmptyState
          heading="h1"
          picture={<MailCheck aria-hidden className="size-12" strokeWidth={1.5} />}
          title={t(`verify.${confirmed.result}.title`)}
          text={t(`verify.${confirmed.result}.text`, { address: confirmed.address })}
          action={
            <Link to={local(paths.settingsAccount)} className={buttonClass({ kind: 'secondary' })}>
              {t('verify.settings')}
            </Link>
          }
        />
      </div>
    );
  }
  if (link.is === 'looking') return <Skeleton className="h-40" />;
  if (link.is !== 'good')
    return <SpentLink is={link.is} next={paths.settingsAccount} nextLabel={t('verify.settings')} />;
  return (
    <EmptyState
      heading="h1"
      picture={<MailQuestion aria-hidden className="size-12" strokeWidth={1.5} />}
      title={tAuth('pages.verify.title')}
      text={t('verify.ask', { address: link.address })}
      action={
        <CustomButton size="large" isWaiting={isWaiting} onClick={() => void confirm(link.token)}>
          {t('verify.confirm')}
        </CustomButton>
      }
    />
  );
}
