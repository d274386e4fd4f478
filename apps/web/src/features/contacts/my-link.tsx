import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { Copy, RefreshCw, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { formatDate } from '../../core/i18n/format-date.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PeopleCard } from './people-card.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { useMyLink } from './use-my-link.ts';

interface MyLinkProps {
  client: Client;
  me: { id: AccountId; username: string | undefined };
}

/** The user's own invite link and QR code. Accounts that use it become contacts without a request. */
export function MyLink({ client, me: { id, username } }: MyLinkProps) {
  const { t } = useTranslation('contacts');
  const { code } = useLocale();
  const { mine, usesLeft, make, revoke } = useMyLink(client, id);
  const [isWaiting, setIsWaiting] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  async function run(act: () => Promise<void>): Promise<void> {
    setIsWaiting(true);
    await act().catch(() => showFeedback('error', t('mine.failed')));
    setIsWaiting(false);
    setIsAsking(false);
  }

  async function handleShare(url: string): Promise<void> {
    // The user closed the share sheet: not an error.
    await navigator.share({ title: t('mine.shareTitle'), url }).catch(() => {});
  }

  return (
    <PeopleCard title={t('mine.title')} text={t('mine.text')}>
      {username !== undefined && (
        <p className="mt-3 flex flex-wrap items-center justify-between gap-x-3 rounded-field bg-surface-2 py-1 pr-1 pl-4">
          <span dir="ltr" className="min-w-0 font-semibold wrap-anywhere">
            @{username}
          </span>
          <CustomButton kind="quiet" onClick={() => void copy(username, t('mine.nameCopied'))}>
            {t('mine.copyName')}
          </CustomButton>
        </p>
      )}
      {mine === undefined && <Skeleton className="mt-4 h-48" />}
      {mine === null && (
        <div className="mt-4">
          <CustomButton isWaiting={isWaiting} onClick={() => void run(make)}>
            {t('mine.make')}
          </CustomButton>
        </div>
      )}
      {mine && (
        <div className="mt-4 flex flex-wrap items-start gap-x-3 gap-y-5">
          <QrCode value={mine.link} label={t('mine.code', { name: username ?? '' })} />
          <div className="grid min-w-56 grow basis-0 gap-2">
            <CustomButton
              isWide
              icon={<Copy aria-hidden className="size-5" />}
              onClick={() => void copy(mine.link, t('mine.copied'))}
            >
              {t('mine.copy')}
            </CustomButton>
            {'share' in navigator && (
              <CustomButton
                kind="secondary"
                isWide
                icon={<Share2 aria-hidden className="size-5" />}
                onClick={() => void handleShare(mine.link)}
              >
                {t('mine.share')}
              </CustomButton>
            )}
            <CustomButton
              kind="quiet"
              isWide
              icon={<RefreshCw aria-hidden className="size-5" />}
              onClick={() => setIsAsking(true)}
            >
              {t('mine.renew')}
            </CustomButton>
            <p className="text-small text-muted">
              {t('mine.until', { date: formatDate(code, new Date(mine.expiresAt)) })}{' '}
              {usesLeft !== undefined && t('mine.left', { count: usesLeft })}
            </p>
          </div>
        </div>
      )}
      {isAsking && (
        <RenewDialog
          isWaiting={isWaiting}
          onRenew={() => void run(make)}
          onRevoke={() => void run(revoke)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </PeopleCard>
  );
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  showFeedback('success', done, successDuration);
}
