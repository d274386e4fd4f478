/** Contact preferences that are edited in a dialog, in the order of the details pane. */
import { CONTACT_PREFERENCES, type ContactPreferences } from '@dostar/protocol/contract/contact-preferences';
import { Bell, BellOff, Music, Pencil, Play } from 'lucide-react';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDay, formatTime } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { FOREVER } from '../../../core/messenger/mute-times.ts';
import { playSound } from '../../../core/notifications/play-sound.ts';
import { ChoiceDialog } from '../../../ui/choice-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { MessageSound } from '../../../worker/message-alert.ts';
import { AliasDialog } from './alias-dialog.tsx';
import { MuteDialog } from './mute-dialog.tsx';

export interface PreferenceEditor<Value> {
  useRow: (value: Value) => { icon: ReactNode; title: string; value: string };
  Dialog: ComponentType<{ value: Value; onSave: (value: Value) => void; onClose: () => void }>;
  /** Also available for accounts that are not contacts. */
  isForAnyone?: true;
}

export type EditedPreference = 'alias' | 'mutedUntil' | 'sound';

export const preferenceEditors: { [Name in EditedPreference]: PreferenceEditor<ContactPreferences[Name]> } = {
  alias: { useRow: useAliasRow, Dialog: AliasDialog, isForAnyone: true },
  mutedUntil: { useRow: useMuteRow, Dialog: MuteDialog },
  sound: { useRow: useSoundRow, Dialog: SoundDialog },
};

export function isEditedPreference(name: string): name is EditedPreference {
  return name in preferenceEditors;
}

function useAliasRow(alias: string | null) {
  const { t } = useTranslation('contacts');
  return { icon: <Pencil aria-hidden />, title: t('details.alias'), value: alias ?? t('details.aliasNone') };
}

function useMuteRow(mutedUntil: number) {
  const { t } = useTranslation('contacts');
  const { code } = useLocale();
  const now = useNow();
  const isMuted = mutedUntil > now;
  return {
    icon: isMuted ? <BellOff aria-hidden /> : <Bell aria-hidden />,
    title: t('details.mute'),
    value: describe(),
  };

  function describe(): string {
    if (!isMuted) return t('details.muteOn');
    if (mutedUntil >= FOREVER) return t('details.muteForever');
    const until = new Date(mutedUntil);
    const isToday = until.toDateString() === new Date(now).toDateString();
    const day = isToday ? '' : `${formatDay(code, until, new Date(now))}, `;
    return t('details.muteUntil', { when: `${day}${formatTime(until)}` });
  }
}

function useSoundRow(sound: MessageSound) {
  const { t } = useTranslation('contacts');
  return { icon: <Music aria-hidden />, title: t('details.sound'), value: t(`sound.${sound}`) };
}

function SoundDialog({ value, onSave, onClose }: ComponentProps<PreferenceEditor<MessageSound>['Dialog']>) {
  const { t } = useTranslation('contacts');
  const choices = CONTACT_PREFERENCES.sound.type.options.map((sound) => {
    const name = t(`sound.${sound}`);
    const action = (
      <IconButton
        label={t('sound.play', { name })}
        icon={<Play aria-hidden className="size-5" />}
        onClick={() => playSound(sound)}
      />
    );
    return { value: sound, name, ...(sound !== 'none' && { action }) };
  });
  return (
    <ChoiceDialog
      title={t('sound.title')}
      description={t('sound.text')}
      label={t('sound.label')}
      choices={choices}
      chosen={value}
      onSave={onSave}
      onClose={onClose}
    />
  );
}
