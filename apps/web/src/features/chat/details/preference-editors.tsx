/** Preferences of a contact that are set in a dialog, in the order of the details pane. */
import type { ContactPreferences } from '@dostar/protocol/contract/contact-preferences';
import { Bell, BellOff, Pencil } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatTime } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { AliasDialog } from './alias-dialog.tsx';
import { MuteDialog } from './mute-dialog.tsx';
import { FOREVER } from './mute-times.ts';

export interface PreferenceEditor<Value> {
  useRow: (value: Value) => { icon: ReactNode; title: string; value: string };
  Dialog: ComponentType<{ value: Value; onSave: (value: Value) => void; onClose: () => void }>;
  /** Also for people who are not contacts. */
  isForAnyone?: true;
}

export type EditedPreference = 'alias' | 'mutedUntil';

export const preferenceEditors: { [Name in EditedPreference]: PreferenceEditor<ContactPreferences[Name]> } = {
  alias: { useRow: useAliasRow, Dialog: AliasDialog, isForAnyone: true },
  mutedUntil: { useRow: useMuteRow, Dialog: MuteDialog },
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
