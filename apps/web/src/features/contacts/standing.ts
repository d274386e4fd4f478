import type { Contact } from '@dostar/client';

/** How one stands with somebody, in the words of the screen. */
export type Standing = 'stranger' | 'contact' | 'waiting' | 'asks' | 'blocked';

export function standingOf(contact: Pick<Contact, 'state' | 'peerAccepts'> | undefined): Standing {
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
