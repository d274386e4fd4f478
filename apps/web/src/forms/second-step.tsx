import type { FactorList } from '@dostar/client/factors';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { SecondStep as Step } from '@dostar/protocol/contract/second-factors';
import { useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { TotpStep } from './totp-step.tsx';
import { MessageCodeStep } from './message-code-step.tsx';
import { RecoveryCodeStep } from './recovery-code-step.tsx';

interface SecondStepProps {
  owes: readonly Step[];
  factors: FactorList['factors'];
  /** Sends a code. Returns when the next one may be requested. */
  onSend: (kind: 'email' | 'phone', locale: Locale) => Promise<number>;
  /** Throws an error that says what is wrong with the code. */
  onGive: (kind: Step, code: string) => Promise<void>;
}

/** Asks for one of the owed second factors, and lets the person choose another. */
export function SecondStep({ owes, factors, onSend, onGive }: SecondStepProps) {
  const { t } = useTranslation('factors');
  const [chosen, setChosen] = useState<Step>();
  const step = chosen ?? owes[0];
  return (
    <>
      {step === 'totp' && <TotpStep onGive={(code) => onGive(step, code)} />}
      {(step === 'email' || step === 'phone') && (
        <MessageCodeStep
          key={step}
          kind={step}
          hint={factors.find(({ kind }) => kind === step)?.hint ?? ''}
          onSend={(locale) => onSend(step, locale)}
          onGive={(code) => onGive(step, code)}
        />
      )}
      {step === 'recoverycode' && <RecoveryCodeStep onGive={(code) => onGive(step, code)} />}
      <div className="mt-6 -ml-5 flex flex-col items-start gap-1">
        {owes
          .filter((kind) => kind !== step)
          .map((kind) => (
            <CustomButton key={kind} kind="quiet" onClick={() => setChosen(kind)}>
              {t(`step.choose.${kind}`)}
            </CustomButton>
          ))}
      </div>
    </>
  );
}
