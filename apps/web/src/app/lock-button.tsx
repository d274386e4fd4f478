import { Lock } from 'lucide-react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { lockNow } from '../core/session/lock-watch.ts';
import { iconButtonClass } from '../ui/icon-button-class.ts';

/** Shown beside the account if a lock is set. */
export function LockButton({ account }: { account: string }) {
  const { t } = useTranslation('shell');
  return (
    <button
      type="button"
      aria-label={t('account.lock')}
      title={t('account.lock')}
      onClick={() => void lockNow(account)}
      className={`${iconButtonClass} max-lg:hidden`}
    >
      <Lock aria-hidden className="size-5" />
    </button>
  );
}
