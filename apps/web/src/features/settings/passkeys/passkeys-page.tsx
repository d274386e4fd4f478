import type { Passkey } from '@dostar/client/passkeys';
import { AccountId } from '@dostar/protocol/ids';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { signOutOtherDevices } from '../../../core/session/sign-out-other-devices.ts';
import { explainError } from '../../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { useLoaded } from '../../../core/lib/use-loaded.ts';
import { hasPasskeySupport, loadPasskeys } from '../../../core/session/passkeys.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useSession } from '../../../core/session/session.ts';
import { requestTexts } from '../../../core/i18n/texts.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PasskeyRow } from './passkey-row.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';

await requestTexts('passkeys');

export const meta = pageMeta('passkeys', 'passkeys');

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

async function fetchPasskeys(): Promise<Passkey[]> {
  return (await loadPasskeys()).list();
}

async function rename(id: string, name: string): Promise<boolean> {
  await (await loadPasskeys()).rename(id, name);
  return true;
}

async function remove(id: string): Promise<boolean> {
  await (await loadPasskeys()).remove(id);
  return true;
}

export default function PasskeysPage() {
  const { t } = useTranslation('passkeys');
  const session = useSession();
  const { value: list, reload } = useLoaded(fetchPasskeys, t('problems.offline'));
  const [open, setOpen] = useState<Open>();
  const [endOthers, setEndOthers] = useState(false);

  /** Makes one change, with re-authentication if required, and reloads the list. `act` returns false if cancelled. */
  async function change(act: () => Promise<boolean>, isEndingOthers = false): Promise<void> {
    setOpen(undefined);
    setEndOthers(false);
    try {
      const isDone = await withReauthentication(act);
      await reload();
      if (isDone && isEndingOthers) await signOutOtherDevices();
    } catch (error) {
      explain(error);
    }
  }

  function explain(error: unknown): void {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    explainError(error, {
      last_key: t('problems.lastKey'),
      forbidden: t('problems.older'),
      too_many_passkeys: t('problems.tooMany'),
      rate_limited: t('problems.tooOften'),
      unavailable: t('problems.offline'),
      other: isKnown ? t('problems.known') : t('problems.failed'),
    });
  }

  async function add(name: string): Promise<boolean> {
    if (session.status !== 'signed-in') return false;
    const added = await (await loadPasskeys()).add(AccountId.parse(session.account.id), name);
    if (added?.unlocks) showFeedback('success', t('added.unlocks'), successDuration);
    else if (added) showFeedback('success', t('added.signsIn'));
    return added !== undefined;
  }

  const adding = hasPasskeySupport() ? (
    <CustomButton onClick={() => setOpen({ what: 'add' })}>{t('add')}</CustomButton>
  ) : (
    <p className="text-muted">{t('unsupported')}</p>
  );
  return (
    <>
      <SettingsHeading title={t('pages.passkeys.title')} lead={t('lead')} />
      <section className={settingsCardClass} aria-label={t('pages.passkeys.title')} aria-busy={list === undefined}>
        {list === undefined && <Skeleton className="h-24" />}
        {list?.length === 0 && (
          <EmptyState
            picture={<Fingerprint aria-hidden className="size-16" strokeWidth={1.25} />}
            title={t('empty.title')}
            text={t('empty.text')}
            action={adding}
          />
        )}
        {list !== undefined && list.length > 0 && (
          <ul className="divide-y divide-line">
            {list.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setOpen({ what: 'rename', passkey })}
                onRemove={() => setOpen({ what: 'remove', passkey })}
              />
            ))}
          </ul>
        )}
        {list !== undefined && list.length > 0 && <div className="border-t border-line pt-4">{adding}</div>}
      </section>
      {open?.what === 'add' && (
        <NameDialog
          title={t('add')}
          text={t('name.addText')}
          initial={t('name.initial', { number: (list?.length ?? 0) + 1 })}
          onClose={() => setOpen(undefined)}
          onName={(name) => void change(() => add(name), endOthers)}
        >
          <div className="mt-3">
            <Checkbox checked={endOthers} onCheckedChange={setEndOthers}>
              {t('endOthers')}
            </Checkbox>
          </div>
        </NameDialog>
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title={t('name.renameTitle')}
          initial={open.passkey.name}
          onClose={() => setOpen(undefined)}
          onName={(name) => void change(() => rename(open.passkey.id, name))}
        />
      )}
      {open?.what === 'remove' && (
        <RemovePasskeyDialog
          name={open.passkey.name}
          onClose={() => setOpen(undefined)}
          onRemove={(isEndingOthers) => void change(() => remove(open.passkey.id), isEndingOthers)}
        />
      )}
    </>
  );
}
