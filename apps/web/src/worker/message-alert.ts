/** How a new message is announced: the same for pages and the service worker. */
import type { ContactPreferences } from '@dostar/protocol/contract/contact-preferences';

export type MessageSound = ContactPreferences['sound'];

/** Undefined for a muted or archived chat. `preferences` are undefined for a sender who is not a contact. */
export function alertFor(
  preferences: ContactPreferences | undefined,
  isSoundOn: boolean,
): { sound: MessageSound } | undefined {
  if (preferences !== undefined && (preferences.archived || preferences.mutedUntil > Date.now())) return undefined;
  return { sound: isSoundOn ? (preferences?.sound ?? 'default') : 'none' };
}
