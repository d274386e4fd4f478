import type { Client } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { Copy } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { usePresence } from '../use-presence.ts';

interface DetailsPersonProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  name: string;
  /** Address of the profile photo. */
  photo: string | undefined;
  username: string;
  isAssistant: boolean;
}

export function DetailsPerson({ client, chat, peer, name, photo, username, isAssistant }: DetailsPersonProps) {
  const { t } = useTranslation('contacts');
  const { t: tChat } = useTranslation('chat');
  const { status, isOnline } = usePresence(client, chat, peer);

  async function handleCopy(): Promise<void> {
    await navigator.clipboard.writeText(username);
    showFeedback('success', t('details.nameCopied'), successDuration);
  }

  return (
    <div className="flex flex-col items-center px-4 pt-6 pb-4 text-center">
      <Avatar accountId={peer} name={name} picture={photo} isOnline={isOnline} size="huge" />
      <h3 dir="auto" className="mt-3 max-w-full text-title font-bold wrap-anywhere">
        {name}
      </h3>
      {isAssistant && (
        <span className="my-1">
          <Badge kind="accent">{tChat('header.assistant')}</Badge>
        </span>
      )}
      <p className="min-h-4.5 text-small text-muted">{status}</p>
      <button
        type="button"
        title={t('details.copyName')}
        onClick={() => void handleCopy()}
        className="mt-1 flex min-h-11 max-w-full items-center gap-2 rounded-control px-3 text-accent hover:bg-accent-soft"
      >
        <span dir="ltr" className="truncate">
          @{username}
        </span>
        <Copy aria-hidden className="size-4 shrink-0" />
        <span className="sr-only">{t('details.copyName')}</span>
      </button>
    </div>
  );
}
