import type { FactorList } from '@dostar/client/factors';
import type { SecondStep } from '@dostar/protocol/contract/factors';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { codeOf } from '../../core/failure.ts';
import { showFeedback, successDuration } from '../../core/feedback.ts';
import { pageMeta } from '../../core/page-meta.ts';
import { paths } from '../../core/paths.ts';
import { enterSession } from '../../core/session.ts';
import { wantTexts } from '../../core/texts.ts';
import { useLocalPath } from '../../core/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FormHeading } from './form-heading.tsx';
import { loadFactors } from './load-auth.ts';
import { StepByApp } from './step-by-app.tsx';
import { StepByMessage } from './step-by-message.tsx';
import { StepByPaper } from './step-by-paper.tsx';

await wantTexts('auth', 'factors');

export const meta = pageMeta('auth', 'secondStep');

/** After the password. It stands on the server's memory, so a reload or a discarded tab finds it again. */
export default function SecondStepPage() {
  const { t } = useTranslation('factors');
  const { t: tAuth } = useTranslation('auth');
  const local = useLocalPath();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [list, setList] = useState<FactorList | 'none'>();
  const [chosen, setChosen] = useState<SecondStep>();

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

  async function handleGive(kind: SecondStep, code: string): Promise<void> {
    const account = await (await loadFactors()).give(kind, code);
    showFeedback('success', tAuth('signIn.done'), successDuration);
    enterSession({ id: account, username: undefined, name: undefined });
  }

  if (list === 'none') return <Navigate to={local(paths.signIn) + search} replace />;
  const step = chosen ?? list?.owes[0];
  return (
    <>
      <FormHeading title={t('step.title')} lead={t('step.lead')} />
      {list === undefined && <Skeleton className="h-24" />}
      {step === 'totp' && <StepByApp onGive={(code) => handleGive(step, code)} />}
      {(step === 'email' || step === 'phone') && (
        <StepByMessage
          key={step}
          kind={step}
          hint={list?.factors.find(({ kind }) => kind === step)?.hint ?? ''}
          onGive={(code) => handleGive(step, code)}
        />
      )}
      {step === 'recoverycode' && <StepByPaper onGive={(code) => handleGive(step, code)} />}
      {list !== undefined && (
        <div className="mt-6 -ml-5 flex flex-col items-start gap-1">
          {list.owes
            .filter((kind) => kind !== step)
            .map((kind) => (
              <CustomButton key={kind} kind="quiet" onClick={() => setChosen(kind)}>
                {t(`step.choose.${kind}`)}
              </CustomButton>
            ))}
          <CustomButton kind="quiet" onClick={() => void handleAgain()}>
            {t('step.again')}
          </CustomButton>
        </div>
      )}
    </>
  );
}
