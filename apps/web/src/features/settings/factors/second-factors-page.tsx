import type { FactorList } from '@dostar/client/factors';
import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { signOutOtherDevices } from '../../../core/session/sign-out-other-devices.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { FactorRow } from './factor-row.tsx';
import { loadFactors } from './load-factors.ts';
import { MessageDialog } from './message-dialog.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';
import { TotpDialog } from './totp-dialog.tsx';

await requestTexts('factors');

export const meta = pageMeta('factors', 'secondFactors');

type Open =
  | { what: 'totp'; secret: string; uri: string }
  | { what: 'email' | 'phone' }
  | { what: 'remove'; kind: FactorKind }
  | { what: 'codes'; codes: string[] };

async function fetchFactors(): Promise<FactorList> {
  return (await loadFactors()).list();
}

export default function SecondFactorsPage() {
  const { t } = useTranslation('factors');
  const { value: list, reload } = useLoaded(fetchFactors, t('common.offline'));
  const [open, setOpen] = useState<Open>();

  /** Re-authenticates if the server requires it. */
  async function attempt(act: () => Promise<void>): Promise<void> {
    try {
      await withReauthentication(act);
    } catch (error) {
      explainError(error, {
        forbidden: t('problems.older'),
        rate_limited: t('problems.tooOften'),
        unavailable: t('common.offline'),
        other: t('problems.failed'),
      });
    }
  }

  function handleAdd(kind: FactorKind): void {
    if (kind !== 'totp') setOpen({ what: kind });
    else void attempt(async () => setOpen({ what: 'totp', ...(await (await loadFactors()).startTotp()) }));
  }

  function handleConfirmed(codes: string[] | null, endOthers: boolean): void {
    setOpen(codes === null ? undefined : { what: 'codes', codes });
    showFeedback('success', t('list.turnedOn'), successDuration);
    void reload();
    if (endOthers) void attempt(signOutOtherDevices);
  }

  async function handleRemove(kind: FactorKind, endOthers: boolean): Promise<void> {
    setOpen(undefined);
    await attempt(async () => {
      await (await loadFactors()).remove(kind);
      showFeedback('success', t('list.turnedOff'), successDuration);
      if (endOthers) await signOutOtherDevices();
    });
    await reload();
  }

  async function handleRenew(): Promise<void> {
    await attempt(async () => setOpen({ what: 'codes', codes: await (await loadFactors()).renewRecoveryCodes() }));
    await reload();
  }

  return (
    <>
      <SettingsHeading title={t('pages.secondFactors.title')} lead={t('list.lead')} />
      <section className={settingsCardClass} aria-label={t('pages.secondFactors.title')} aria-busy={list === undefined}>
        {list === undefined ? (
          <Skeleton className="h-32" />
        ) : (
          <ul className="divide-y divide-line">
            {list.offered.map((kind) => (
              <FactorRow
                key={kind}
                kind={kind}
                factor={list.factors.find((each) => each.kind === kind)}
                onAdd={() => handleAdd(kind)}
                onRemove={() => setOpen({ what: 'remove', kind })}
              />
            ))}
          </ul>
        )}
      </section>
      {list !== undefined && list.recoveryCodes !== null && (
        <RecoveryCodesCard left={list.recoveryCodes} onRenew={() => void handleRenew()} />
      )}
      {open?.what === 'totp' && (
        <TotpDialog {...open} onClose={() => setOpen(undefined)} onConfirmed={handleConfirmed} />
      )}
      {(open?.what === 'email' || open?.what === 'phone') && (
        <MessageDialog kind={open.what} onClose={() => setOpen(undefined)} onConfirmed={handleConfirmed} />
      )}
      {open?.what === 'remove' && (
        <RemoveFactorDialog
          isLast={list?.factors.length === 1}
          onClose={() => setOpen(undefined)}
          onRemove={(endOthers) => void handleRemove(open.kind, endOthers)}
        />
      )}
      {open?.what === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={() => setOpen(undefined)} />}
    </>
  );
}
