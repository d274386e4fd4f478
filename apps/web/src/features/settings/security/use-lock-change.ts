import type { NewLock } from '@dostar/client/app-lock';
import type { AccountId } from '@dostar/protocol/ids';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { openAppLock } from '../../../core/session/app-lock.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { recordActivity } from '../../../core/session/idle-clock.ts';
import { type CurrentLock, readCurrentSecret } from './current-secret.tsx';

interface LockChange {
  account: AccountId;
  /** The current lock, if any. */
  lock: CurrentLock | undefined;
  done: 'set.done' | 'removing.done';
  onDone: () => void;
}

/** Sets, changes or removes the lock after checking the current secret, and shows the result. */
export function useLockChange({ account, lock, done, onDone }: LockChange) {
  const { t } = useTranslation('lock');
  const [isWrong, setIsWrong] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);

  /** `readNext` returns undefined to remove the lock, or `stopped` if the user cancelled. */
  async function change(typed: string, readNext: () => Promise<NewLock | 'stopped' | undefined>): Promise<void> {
    setIsWaiting(true);
    setIsWrong(false);
    try {
      const present = lock && (await readCurrentSecret(lock, typed));
      if (lock !== undefined && present === undefined) return;
      const next = await readNext();
      if (next === 'stopped') return;
      recordActivity();
      if (!(await openAppLock().change(account, present, next))) return setIsWrong(true);
      showFeedback('success', t(done), successDuration);
      onDone();
    } catch {
      showFeedback('error', t('problems.failed'));
    } finally {
      setIsWaiting(false);
    }
  }

  return { change, isWrong, isWaiting };
}
