import type { Client } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatMoment } from '../../core/i18n/format-date.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { useNow } from '../../core/lib/use-now.ts';

/** Two heartbeats of one minute each. */
const ONLINE_MS = 120_000;

interface Presence {
  isTyping: boolean;
  isOnline: boolean;
  /** Typing, else online, else last seen; empty if the contact hides all three. */
  status: string;
}

/** A contact's presence. Callers keep it up to date with `client.watchPresence`. */
export function usePresence(client: Client, chat: ChatId, peer: AccountId): Presence {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const typing = useLive(client.live.typing(chat));
  const lastOnline = useLive(client.live.lastOnline(peer));
  const now = useNow();
  const isTyping = typing?.includes(peer) ?? false;
  const isOnline = typeof lastOnline === 'number' && now - lastOnline < ONLINE_MS;

  function describe(): string {
    if (isTyping) return t('header.typing');
    if (isOnline) return t('header.online');
    if (typeof lastOnline !== 'number') return '';
    return t('header.lastSeen', { when: formatMoment(code, new Date(lastOnline), new Date(now)) });
  }

  return { isTyping, isOnline, status: describe() };
}
