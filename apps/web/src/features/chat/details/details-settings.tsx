import type { Client, Contact } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { Star, Timer } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { Switch } from '../../../ui/switch.tsx';
import { timerName } from '../timer-names.ts';
import type { DetailsDialog } from './details-dialogs.tsx';
import { DetailsRow } from './details-row.tsx';
import { type EditedPreference, preferenceEditors } from './preference-editors.tsx';
import { PreferenceRow } from './preference-row.tsx';
import type { SidePaneView } from './use-side-pane.ts';

interface DetailsSettingsProps {
  client: Client;
  chat: ChatId;
  contact: Contact | undefined;
  onDialog: (dialog: DetailsDialog) => void;
  onShow: (side: SidePaneView) => void;
}

const edited = Object.keys(preferenceEditors) as EditedPreference[];
const switches = ['receipts', 'typing'] as const;

/** The user's settings for this chat. */
export function DetailsSettings({ client, chat, contact, onDialog, onShow }: DetailsSettingsProps) {
  const { t } = useTranslation('contacts');
  const { t: tChat } = useTranslation('chat');
  const seconds = useLive(client.live.timer(chat)) ?? 0;
  const kept = contact?.state === 'accepted' ? contact : undefined;

  return (
    <div className="border-t border-line px-2 py-2">
      {edited
        .filter((name) => kept !== undefined || preferenceEditors[name].isForAnyone)
        .map((name) => (
          <PreferenceRow key={name} name={name} contact={contact} onPress={() => onDialog(name)} />
        ))}
      <DetailsRow icon={<Star aria-hidden />} title={t('details.starred')} onPress={() => onShow('starred')} />
      <DetailsRow
        icon={<Timer aria-hidden />}
        title={t('details.timer')}
        value={tChat(`timer.${seconds === 0 ? 'off' : timerName(seconds)}`)}
        onPress={() => onDialog('timer')}
      />
      {kept && (
        <div className="px-3 py-1">
          {switches.map((name) => (
            <Switch
              key={name}
              checked={kept[name]}
              onCheckedChange={(isOn) => void client.contacts.change(kept.id, { [name]: isOn })}
            >
              {t(`details.${name}`)}
            </Switch>
          ))}
        </div>
      )}
    </div>
  );
}
