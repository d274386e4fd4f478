import type { Contact } from '@dostar/client';

/** Status of a contact as the UI shows it. */
export type ContactStatus = 'stranger' | 'contact' | 'waiting' | 'asks' | 'blocked';

export function contactStatusOf(contact: Pick<Contact, 'state' | 'peerAccepts'> | undefined): ContactStatus {
  switch (contact?.state) {
    case 'accepted':
      return contact.peerAccepts ? 'contact' : 'waiting';
    case 'asked':
      return 'asks';
    case 'blocked':
      return 'blocked';
    case 'none':
    case 'declined':
    case undefined:
      return 'stranger';
  }
}
