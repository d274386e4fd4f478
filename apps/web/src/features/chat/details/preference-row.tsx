import type { Contact } from '@dostar/client';
import { type ContactPreferences, DEFAULT_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { DetailsRow } from './details-row.tsx';
import { type EditedPreference, type PreferenceEditor, preferenceEditors } from './preference-editors.tsx';

interface PreferenceRowProps<Name extends EditedPreference> {
  name: Name;
  contact: Contact | undefined;
  onPress: () => void;
}

export function PreferenceRow<Name extends EditedPreference>({ name, contact, onPress }: PreferenceRowProps<Name>) {
  const editor: PreferenceEditor<ContactPreferences[Name]> = preferenceEditors[name];
  const row = editor.useRow((contact ?? DEFAULT_PREFERENCES)[name]);
  return <DetailsRow {...row} onPress={onPress} />;
}
