import type { FactorList } from '@dostar/client/factors';
import type { SecondStep as Step } from '@dostar/protocol/contract/second-factors';
import type { ReauthenticationMethod } from '@dostar/protocol/contract/reauthentication';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openFactors, openReauthentication } from '../../core/session/auth.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { SecondStep } from '../../forms/second-step.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ReauthenticateByEmail } from './by-email.tsx';
import { ReauthenticateByPasskey } from './by-passkey.tsx';
import { ReauthenticateByPassword } from './by-password.tsx';

await requestTexts('factors');

interface ReauthenticationDialogProps {
  onAnswer: (isReauthenticated: boolean) => void;
}

interface ReauthenticationMethods {
  methods: ReauthenticationMethod[];
  /** The second factors owed after the first one; empty before. */
  owes: Step[];
  factors: FactorList['factors'];
}

async function fetchReauthenticationMethods(): Promise<ReauthenticationMethods> {
  const [available, { factors }] = await Promise.all([openReauthentication().listMethods(), openFactors().list()]);
  return { ...available, factors };
}

/**
 * Re-authentication: asks for one factor, and for the second if the account has one. Always calls `onAnswer` at the
 * end.
 */
export function ReauthenticationDialog({ onAnswer }: ReauthenticationDialogProps) {
  const { t } = useTranslation('factors');
  const [available, setAvailable] = useState<ReauthenticationMethods>();
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    fetchReauthenticationMethods()
      .then(setAvailable)
      .catch(() => setHasFailed(true));
  }, []);

  function handleFirst(owes: Step[]): void {
    if (owes.length === 0) onAnswer(true);
    else if (available) setAvailable({ ...available, owes });
  }

  const isSecond = available !== undefined && available.owes.length > 0;
  const first = isSecond ? [] : (available?.methods ?? []);
  const text = isSecond ? t('step.lead') : t('reauthentication.text');
  return (
    <Dialog
      isOpen
      onOpenChange={() => onAnswer(false)}
      title={t('reauthentication.title')}
      description={hasFailed ? t('common.offline') : text}
    >
      {available === undefined && !hasFailed && <Skeleton className="mt-5 h-13" />}
      {hasFailed && (
        <div className="mt-6 flex justify-end">
          <CustomButton onClick={() => onAnswer(false)}>{t('common.close')}</CustomButton>
        </div>
      )}
      {first.includes('password') && (
        <ReauthenticateByPassword onVerified={handleFirst} onCancel={() => onAnswer(false)} />
      )}
      {first.includes('email') && <ReauthenticateByEmail onVerified={handleFirst} onCancel={() => onAnswer(false)} />}
      {isSecond && (
        <div className="mt-5">
          <SecondStep
            owes={available.owes}
            factors={available.factors}
            onSend={(kind, locale) => openReauthentication().sendFactorCode(kind, locale)}
            onGive={async (kind, code) => {
              await openReauthentication().verifyFactor(kind, code);
              onAnswer(true);
            }}
          />
        </div>
      )}
      {available?.methods.includes('passkey') && (
        <ReauthenticateByPasskey isOnly={!isSecond && !first.includes('password')} onAnswer={onAnswer} />
      )}
    </Dialog>
  );
}
