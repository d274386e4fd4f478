import type { KeyOffer } from '@dostar/client/device-channel';
import type { DeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { loadDeviceTransfer } from '../../core/session/load-account.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressRing } from '../../ui/progress-ring.tsx';

interface ApproveDeviceDialogProps {
  account: AccountId;
  request: DeviceTransfer;
  /** The person has confirmed that the request is theirs. */
  isMine: boolean;
  onMine: () => void;
  onClose: () => void;
  onDenied: () => void;
}

/** "Was this you?" The other screen shows the digits: an attacker with access to the mailbox only does not see them. */
export function ApproveDeviceDialog({ account, request, isMine, onMine, onClose, onDenied }: ApproveDeviceDialogProps) {
  const { t } = useTranslation('recovery');
  const [answered, setAnswered] = useState<KeyOffer>();
  const [countersign, setCountersign] = useState<string>();
  const [wrongTries, setWrongTries] = useState(0);

  useEffect(() => {
    if (!isMine) return undefined;
    const stop = new AbortController();
    loadDeviceTransfer()
      .then((transfer) => transfer.answer(account, request, stop.signal))
      .then((found) => {
        if (stop.signal.aborted) return;
        if (found) setAnswered(found);
        else onClose();
      })
      .catch(() => {
        if (stop.signal.aborted) return;
        showFeedback('error', t('give.failed'));
        onClose();
      });
    return () => stop.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Answers once, whatever a render brings.
  }, [account, isMine]);

  async function handleDeny(): Promise<void> {
    await (await loadDeviceTransfer()).refuse(request).catch(() => undefined);
    onDenied();
  }

  async function handleDigits(digits: string): Promise<void> {
    try {
      const given = await answered?.give(digits);
      setCountersign(given);
      if (given === undefined) setWrongTries(wrongTries + 1);
    } catch {
      showFeedback('error', t('give.failed'));
      onClose();
    }
  }

  const client = request.client || t('news.unknownDevice');
  if (!isMine) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title={t('give.title')}
        description={t('give.text', { client })}
        actions={
          <>
            <CustomButton kind="danger" onClick={() => void handleDeny()}>
              {t('news.notMe')}
            </CustomButton>
            <CustomButton onClick={onMine}>{t('news.itWasMe')}</CustomButton>
          </>
        }
      />
    );
  }
  if (countersign !== undefined) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title={t('give.lastTitle')}
        description={t('give.lastText', { client })}
        actions={<CustomButton onClick={onClose}>{t('give.close')}</CustomButton>}
      >
        <p className="figures mt-4 text-center text-headline font-bold tracking-[0.2em]">{countersign}</p>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('give.digitsTitle')} description={t('give.digitsText', { client })}>
      <div className="mt-5">
        {answered ? (
          <CodeField
            key={wrongTries}
            autoFocus
            label={t('give.label')}
            error={wrongTries > 0 ? t('give.wrong') : undefined}
            onComplete={(digits) => void handleDigits(digits)}
          />
        ) : (
          <p className="flex items-center gap-3 text-muted" role="status">
            <ProgressRing size="small" />
            {t('give.waiting')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
