import type { ChatSummary, Contact } from '@dostar/client';

/** A chat with its contact, as the chat list shows it. */
export interface ListedChat {
  summary: ChatSummary;
  contact: Contact | undefined;
}
