import type { Client, Contact } from '@dostar/client';
import { type ContactPreferences, DEFAULT_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import type { AccountId } from '@dostar/protocol/ids';
import { type EditedPreference, type PreferenceEditor, preferenceEditors } from './preference-editors.tsx';

interface PreferenceDialogProps<Name extends EditedPreference> {
  client: Client;
  peer: AccountId;
  contact: Contact | undefined;
  name: Name;
  onClose: () => void;
}

export function PreferenceDialog<Name extends EditedPreference>(props: PreferenceDialogProps<Name>) {
  const { client, peer, contact, name, onClose } = props;
  const { Dialog }: PreferenceEditor<ContactPreferences[Name]> = preferenceEditors[name];

  function handleSave(value: ContactPreferences[Name]): void {
    onClose();
    void client.contacts.change(peer, { [name]: value });
  }

  return <Dialog value={(contact ?? DEFAULT_PREFERENCES)[name]} onSave={handleSave} onClose={onClose} />;
}
