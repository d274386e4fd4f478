import type { Client, Contact } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { LockKeyhole, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback } from '../../../core/lib/feedback.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { useIdentity } from '../use-identity.ts';

interface DetailsTrustProps {
  client: Client;
  peer: AccountId;
  name: string;
  contact: Contact | undefined;
}

/** Shows whether the contact's keys are verified, with an optional verification. Never prompts. */
export function DetailsTrust({ client, peer, name, contact }: DetailsTrustProps) {
  const { t } = useTranslation('contacts');
  const identity = useIdentity(client, peer);
  const [isWaiting, setIsWaiting] = useState(false);

  async function handleCompare(): Promise<void> {
    setIsWaiting(true);
    await client.keys.requestVerification(peer).catch(() => showFeedback('error', t('trust.failed')));
    setIsWaiting(false);
  }

  const isChanged = identity === 'changed' || identity === 'withdrawn';
  const isVerified = identity === 'verified';
  const Icon = isChanged ? ShieldAlert : isVerified ? ShieldCheck : LockKeyhole;
  const isKnown = identity !== undefined && identity !== 'unknown';

  function describe(): string {
    if (isChanged) return t('trust.changed', { name });
    if (isVerified) return t('trust.verified');
    if (identity === 'invited') return t('trust.invited');
    return isKnown ? t('trust.known') : t('trust.unknown');
  }

  return (
    <section aria-label={t('details.trust')} className="border-t border-line px-5 py-4">
      <h3 className="flex items-center gap-2 font-semibold">
        <Icon aria-hidden className={isChanged ? 'size-5 text-danger' : 'size-5 text-accent'} />
        {t('details.trust')}
      </h3>
      <p className="mt-1 text-small text-muted wrap-anywhere">{describe()}</p>
      {isKnown && !isVerified && contact?.state === 'accepted' && (
        <div className="mt-3">
          <CustomButton kind="secondary" isWaiting={isWaiting} onClick={() => void handleCompare()}>
            {t('trust.compare')}
          </CustomButton>
        </div>
      )}
    </section>
  );
}
