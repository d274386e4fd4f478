import type { FactorList } from '@dostar/client/factors';
import type { SecondStep as Step } from '@dostar/protocol/contract/second-factors';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { codeOf } from '../../core/lib/failure.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { enterSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { SecondStep } from '../../forms/second-step.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FormHeading } from './form-heading.tsx';
import { loadFactors } from './load-auth.ts';

await requestTexts('auth', 'factors');

export const meta = pageMeta('auth', 'secondStep');

/** Second factor, after the password. The server keeps the pending sign-in, so a reload restores this page. */
export default function SecondStepPage() {
  const { t } = useTranslation('factors');
  const { t: tAuth } = useTranslation('auth');
  const local = useLocalPath();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [list, setList] = useState<FactorList | 'none'>();

  useEffect(() => {
    loadFactors()
      .then((factors) => factors.list())
      .then((found) => setList(found.owes.length > 0 ? found : 'none'))
      .catch((error: unknown) => {
        if (codeOf(error) === 'unauthenticated') setList('none');
        else showFeedback('error', t('common.offline'));
      });
  }, [t]);

  async function handleAgain(): Promise<void> {
    await (await loadFactors()).giveUp();
    await navigate(local(paths.signIn) + search);
  }

  async function handleGive(kind: Step, code: string): Promise<void> {
    const account = await (await loadFactors()).give(kind, code);
    showFeedback('success', tAuth('signIn.done'), successDuration);
    enterSession({ id: account, username: undefined, name: undefined });
  }

  if (list === 'none') return <Navigate to={local(paths.signIn) + search} replace />;
  return (
    <>
      <FormHeading title={t('step.title')} lead={t('step.lead')} />
      {list === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <>
          <SecondStep
            owes={list.owes}
            factors={list.factors}
            onSend={async (kind, locale) => (await loadFactors()).sendCode(kind, locale)}
            onGive={handleGive}
          />
          <div className="mt-1 -ml-5">
            <CustomButton kind="quiet" onClick={() => void handleAgain()}>
              {t('step.again')}
            </CustomButton>
          </div>
        </>
      )}
    </>
  );
}
