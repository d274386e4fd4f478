import type { ReceivedKey } from '@dostar/client/device-channel';
import { MonitorSmartphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { loadDeviceTransfer, loadUnlocking } from '../../core/session/load-account.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { ProgressRing } from '../../ui/progress-ring.tsx';
import type { UnlockMethodProps } from './unlock-method-props.ts';

type TransferState =
  | { is: 'asking' }
  | { is: 'digits'; digits: string }
  | { is: 'given'; given: ReceivedKey; wrongTries: number }
  | { is: 'refused' };

/**
 * Unlocks through another device: this browser shows digits that the user types there, then asks for the digits that
 * the other device shows.
 */
export function UnlockByDevice({ account, onSettled }: UnlockMethodProps) {
  const { t } = useTranslation('recovery');
  const [transferState, setTransferState] = useState<TransferState>({ is: 'asking' });
  const [round, setRound] = useState(0);

  useEffect(() => {
    const stop = new AbortController();

    async function ask(): Promise<void> {
      const transfer = await loadDeviceTransfer();
      const given = await transfer.ask(account, (digits) => setTransferState({ is: 'digits', digits }), stop.signal);
      if (!stop.signal.aborted) setTransferState(given ? { is: 'given', given, wrongTries: 0 } : { is: 'refused' });
    }

    ask().catch(() => {
      if (!stop.signal.aborted) giveUp();
    });
    return () => stop.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only a new round asks again, not a new callback.
  }, [account, round]);

  function giveUp(): void {
    setTransferState({ is: 'refused' });
    showFeedback('error', t('unlock.offline'));
  }

  async function handleCountersign(given: ReceivedKey, wrongTries: number, typed: string): Promise<void> {
    const accountKey = given.take(typed);
    if (accountKey === undefined) return setTransferState({ is: 'given', given, wrongTries: wrongTries + 1 });
    try {
      onSettled(await (await loadUnlocking()).settle(account, accountKey));
    } catch {
      giveUp();
    }
  }

  function handleAgain(): void {
    setTransferState({ is: 'asking' });
    setRound(round + 1);
  }

  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 className="text-title font-bold">{t('ways.device.title')}</h2>
        <p className="mt-1 text-muted">{t('device.text')}</p>
      </div>
      <div role="status" className="rounded-card border border-line bg-surface p-6 text-center shadow-card">
        {transferState.is === 'asking' && (
          <>
            <p className="flex justify-center text-accent">
              <ProgressRing />
            </p>
            <p className="mt-3 font-semibold">{t('device.waiting')}</p>
          </>
        )}
        {transferState.is === 'digits' && (
          <>
            <p className="text-muted">{t('device.digits')}</p>
            <p className="figures mt-2 text-headline font-bold tracking-[0.2em]">
              {`${transferState.digits.slice(0, 3)} ${transferState.digits.slice(3)}`}
            </p>
          </>
        )}
        {transferState.is === 'given' && (
          <div className="mx-auto max-w-56 text-left">
            <CodeField
              key={transferState.wrongTries}
              autoFocus
              length={4}
              label={t('device.last')}
              error={transferState.wrongTries > 0 ? t('device.lastWrong') : undefined}
              onComplete={(typed) => void handleCountersign(transferState.given, transferState.wrongTries, typed)}
            />
          </div>
        )}
        {transferState.is === 'refused' && (
          <>
            <MonitorSmartphone aria-hidden className="mx-auto size-10 text-muted" strokeWidth={1.5} />
            <p className="mt-3">{t('device.refused')}</p>
            <p className="mt-4">
              <CustomButton kind="secondary" onClick={handleAgain}>
                {t('device.again')}
              </CustomButton>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
