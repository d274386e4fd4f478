import type { ChatSummary, Contact } from '@dostar/client';

/** A chat of the list, and the contact it is with. */
export interface ListedChat {
  summary: ChatSummary;
  contact: Contact | undefined;
}
