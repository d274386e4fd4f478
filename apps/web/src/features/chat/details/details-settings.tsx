import type { Client, Contact } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { Bell, BellOff, Pencil, Star, Timer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatTime } from '../../../core/i18n/format-date.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { Switch } from '../../../ui/switch.tsx';
import { timerName } from '../timer-names.ts';
import type { DetailsDialog } from './details-dialogs.tsx';
import { DetailsRow } from './details-row.tsx';
import { FOREVER } from './mute-times.ts';
import type { SidePaneView } from './use-side-pane.ts';

interface DetailsSettingsProps {
  client: Client;
  chat: ChatId;
  contact: Contact | undefined;
  onDialog: (dialog: DetailsDialog) => void;
  onShow: (side: SidePaneView) => void;
}

/** How one keeps this chat. What the server keeps can be set for contacts only; the rest for anybody. */
export function DetailsSettings({ client, chat, contact, onDialog, onShow }: DetailsSettingsProps) {
  const { t } = useTranslation('contacts');
  const { t: chatText } = useTranslation('chat');
  const { code } = useLocale();
  const now = useNow();
  const seconds = useLive(client.live.timer(chat)) ?? 0;
  const kept = contact?.state === 'accepted' ? contact : undefined;

  function describeMute({ mutedUntil }: Contact): string {
    if (mutedUntil <= now) return t('details.muteOn');
    if (mutedUntil >= FOREVER) return t('details.muteForever');
    const until = new Date(mutedUntil);
    const isToday = until.toDateString() === new Date(now).toDateString();
    const day = isToday ? '' : `${formatDay(code, until, new Date(now))}, `;
    return t('details.muteUntil', { when: `${day}${formatTime(until)}` });
  }

  return (
    <div className="border-t border-line px-2 py-2">
      <DetailsRow
        icon={<Pencil aria-hidden />}
        title={t('details.alias')}
        value={contact?.alias ?? t('details.aliasNone')}
        onPress={() => onDialog('alias')}
      />
      <DetailsRow icon={<Star aria-hidden />} title={t('details.starred')} onPress={() => onShow('starred')} />
      <DetailsRow
        icon={<Timer aria-hidden />}
        title={t('details.timer')}
        value={chatText(`timer.${seconds === 0 ? 'off' : timerName(seconds)}`)}
        onPress={() => onDialog('timer')}
      />
      {kept && (
        <>
          <DetailsRow
            icon={kept.mutedUntil > now ? <BellOff aria-hidden /> : <Bell aria-hidden />}
            title={t('details.mute')}
            value={describeMute(kept)}
            onPress={() => onDialog('mute')}
          />
          <div className="px-3 py-1">
            <Switch
              checked={kept.receipts}
              onCheckedChange={(receipts) => void client.contacts.change(kept.id, { receipts })}
            >
              {t('details.receipts')}
            </Switch>
            <Switch
              checked={kept.typing}
              onCheckedChange={(typing) => void client.contacts.change(kept.id, { typing })}
            >
              {t('details.typing')}
            </Switch>
          </div>
        </>
      )}
    </div>
  );
}
