import type { Client, Verification } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { usePeople } from '../../core/messenger/people.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressRing } from '../../ui/progress-ring.tsx';
import { VerificationEmoji } from './verification-emoji.tsx';
import { ReadyStep } from './ready-step.tsx';
import { isOver } from './use-verification.ts';
import { type Step, stepOf } from './verification-step.ts';

await requestTexts('contacts');

interface VerificationDialogProps {
  client: Client;
  me: AccountId;
  verification: Verification;
  onClose: () => void;
}

/** A verification from its request to its end, for either side. Closing the dialog cancels it. */
export function VerificationDialog({ client, me, verification, onClose }: VerificationDialogProps) {
  const { t } = useTranslation('contacts');
  const people = usePeople(client);
  const [isWaiting, setIsWaiting] = useState(false);
  const { id, account, emoji, code } = verification;
  const step = stepOf(verification);
  const isOwn = account === me;
  const name = people?.nameOf(account) ?? t('unknown');
  const { keys } = client;

  async function run(act: Promise<void>): Promise<void> {
    setIsWaiting(true);
    await act.catch(() => showFeedback('error', t('verify.failed')));
    setIsWaiting(false);
  }

  function handleClose(): void {
    onClose();
    if (!isOver(verification)) void keys.cancelVerification(id).catch(() => {});
  }

  function say(part: 'title' | 'text'): string {
    if (isOwn && part === 'title' && (step === 'asked' || step === 'waiting' || step === 'done')) {
      return t(`verify.${step}.ownTitle`);
    }
    if (isOwn && part === 'text' && step !== 'ready' && step !== 'comparing' && step !== 'confirmed') {
      return t(`verify.${step}.ownText`);
    }
    return t(`verify.${step}.${part}`, { name });
  }

  function drawActions(now: Step) {
    switch (now) {
      case 'asked':
        return (
          <>
            <CustomButton kind="secondary" onClick={handleClose}>
              {t('verify.asked.later')}
            </CustomButton>
            <CustomButton isWaiting={isWaiting} onClick={() => void run(keys.acceptVerification(id))}>
              {t('verify.asked.start')}
            </CustomButton>
          </>
        );
      case 'comparing':
        return (
          <>
            <CustomButton kind="secondary" onClick={() => void run(keys.cancelVerification(id))}>
              {t('verify.comparing.differ')}
            </CustomButton>
            <CustomButton isWaiting={isWaiting} onClick={() => void run(keys.confirmVerification(id))}>
              {t('verify.comparing.match')}
            </CustomButton>
          </>
        );
      case 'scanned':
        return (
          <>
            <CustomButton kind="secondary" onClick={() => void run(keys.cancelVerification(id))}>
              {t('verify.scanned.no')}
            </CustomButton>
            <CustomButton isWaiting={isWaiting} onClick={() => void run(keys.confirmVerification(id))}>
              {t('verify.scanned.yes')}
            </CustomButton>
          </>
        );
      case 'waiting':
      case 'ready':
      case 'confirmed':
        return (
          <CustomButton kind="secondary" onClick={handleClose}>
            {t('cancel')}
          </CustomButton>
        );
      case 'done':
        return <CustomButton onClick={handleClose}>{t('verify.done.close')}</CustomButton>;
      case 'cancelled':
        return <CustomButton onClick={handleClose}>{t('verify.close')}</CustomButton>;
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && handleClose()}
      title={say('title')}
      description={say('text')}
      actions={drawActions(step)}
    >
      {(step === 'waiting' || step === 'confirmed') && (
        <div className="mt-5 flex justify-center text-accent">
          <ProgressRing />
        </div>
      )}
      {step === 'ready' && (
        <ReadyStep
          code={code}
          isWaiting={isWaiting}
          onEmoji={() => void run(keys.startEmoji(id))}
          onScan={(read) => void run(keys.scanCode(id, read))}
        />
      )}
      {step === 'comparing' && emoji && <VerificationEmoji emoji={emoji} />}
      {step === 'done' && <ShieldCheck aria-hidden className="mx-auto mt-5 size-16 text-ok" strokeWidth={1.5} />}
    </Dialog>
  );
}
