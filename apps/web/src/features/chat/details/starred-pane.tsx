import type { Client, Message } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { Star } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { formatDay } from '../../../core/i18n/format-date.ts';
import { chatPath } from '../../../core/lib/paths.ts';
import type { People } from '../../../core/messenger/people.ts';
import { previewMessage } from '../../../core/messenger/preview-message.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { useLocale, useLocalPath } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { SidePane } from './side-pane.tsx';

const MAX_STARRED = 500;

interface StarredPaneProps {
  client: Client;
  me: AccountId;
  chat: ChatId;
  username: string;
  people: People;
  onClose: () => void;
}

/** The user's starred messages of this chat; a press jumps to the message. */
export function StarredPane({ client, me, chat, username, people, onClose }: StarredPaneProps) {
  const { t } = useTranslation('contacts');
  const { t: tChat } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const { code } = useLocale();
  const local = useLocalPath();
  const now = useNow();
  const starred = useLive(client.live.starred(MAX_STARRED))?.filter((message) => message.chat === chat);

  function nameOf({ sender }: Message): string {
    return sender === me ? tChat('message.you') : (people.nameOf(sender) ?? t('unknown'));
  }

  return (
    <SidePane title={t('details.starred')} isDeeper onClose={onClose}>
      {starred?.length === 0 && (
        <p className="flex flex-col items-center gap-4 p-8 text-center text-muted">
          <Star aria-hidden className="size-10 text-accent" strokeWidth={1.5} />
          {t('details.starredNone')}
        </p>
      )}
      <ul className="p-2">
        {starred?.map((message) => (
          <li key={`${message.sender}/${message.id}`}>
            <Link
              to={`${local(chatPath(username))}#${message.sender}/${message.id}/${message.place}`}
              className="block rounded-field px-3 py-2.5 outline-offset-[-2px] hover:bg-surface-2"
            >
              <span className="flex items-baseline justify-between gap-3">
                <span dir="auto" className="truncate font-semibold">
                  {nameOf(message)}
                </span>
                <span className="figures shrink-0 text-small text-muted">
                  {formatDay(code, new Date(message.at), new Date(now))}
                </span>
              </span>
              <span dir="auto" className="line-clamp-3 text-muted wrap-anywhere">
                {previewMessage(message.shows, tSaid)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SidePane>
  );
}
