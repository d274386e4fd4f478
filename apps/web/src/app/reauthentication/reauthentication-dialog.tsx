import type { FactorList } from '@dostar/client/factors';
import type { SecondStep as Step } from '@dostar/protocol/contract/second-factors';
import type { ReauthenticationMethod } from '@dostar/protocol/contract/reauthentication';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openFactors, openProving } from '../../core/session/auth.ts';
import { wantTexts } from '../../core/i18n/texts.ts';
import { SecondStep } from '../../forms/second-step.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProofByLetter } from './by-email.tsx';
import { ProofByPasskey } from './by-passkey.tsx';
import { ProofByPassword } from './by-password.tsx';

await wantTexts('factors');

interface ProofDialogProps {
  onAnswer: (isProven: boolean) => void;
}

interface Ways {
  methods: ReauthenticationMethod[];
  /** Not empty after the first of two factors. */
  owes: Step[];
  factors: FactorList['factors'];
}

async function fetchWays(): Promise<Ways> {
  const [ways, { factors }] = await Promise.all([openProving().listMethods(), openFactors().list()]);
  return { ...ways, factors };
}

/**
 * Re-authentication: asks for one factor, and for the second if the account has one. `onAnswer` is called however it ends.
 */
export function ProofDialog({ onAnswer }: ProofDialogProps) {
  const { t } = useTranslation('factors');
  const [ways, setWays] = useState<Ways>();
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    fetchWays()
      .then(setWays)
      .catch(() => setHasFailed(true));
  }, []);

  function handleFirst(owes: Step[]): void {
    if (owes.length === 0) onAnswer(true);
    else if (ways) setWays({ ...ways, owes });
  }

  const isSecond = ways !== undefined && ways.owes.length > 0;
  const first = isSecond ? [] : (ways?.methods ?? []);
  const text = isSecond ? t('step.lead') : t('proof.text');
  return (
    <Dialog
      isOpen
      onOpenChange={() => onAnswer(false)}
      title={t('proof.title')}
      description={hasFailed ? t('common.offline') : text}
    >
      {ways === undefined && !hasFailed && <Skeleton className="mt-5 h-13" />}
      {hasFailed && (
        <div className="mt-6 flex justify-end">
          <CustomButton onClick={() => onAnswer(false)}>{t('common.close')}</CustomButton>
        </div>
      )}
      {first.includes('password') && <ProofByPassword onShown={handleFirst} onCancel={() => onAnswer(false)} />}
      {first.includes('email') && <ProofByLetter onShown={handleFirst} onCancel={() => onAnswer(false)} />}
      {isSecond && (
        <div className="mt-5">
          <SecondStep
            owes={ways.owes}
            factors={ways.factors}
            onSend={(kind, locale) => openProving().sendFactorCode(kind, locale)}
            onGive={async (kind, code) => {
              await openProving().verifyFactor(kind, code);
              onAnswer(true);
            }}
          />
        </div>
      )}
      {ways?.methods.includes('passkey') && (
        <ProofByPasskey isOnly={!isSecond && !first.includes('password')} onAnswer={onAnswer} />
      )}
    </Dialog>
  );
}
