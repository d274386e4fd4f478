import type { Client } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { useEffect } from 'react';
import { useLive } from '../../../core/lib/use-live.ts';
import { usePresence } from '../use-presence.ts';
import { ChatHeader } from './chat-header.tsx';

interface PersonHeaderProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  name: string;
  isVerified: boolean;
  onSearch: () => void;
  onGallery: () => void;
  onTimer: () => void;
}

export function PersonHeader({ client, chat, peer, name, isVerified, ...actions }: PersonHeaderProps) {
  const { status, isTyping, isOnline } = usePresence(client, chat, peer);
  const contact = useLive(client.live.contact(peer));
  useEffect(() => client.watchPresence([peer]), [client, peer]);
  useEffect(() => {
    // Refreshes the contact's name and photo. Offline, the chat shows the stored ones.
    client.contacts.readProfile(peer).catch(() => {});
  }, [client, peer]);
  return (
    <ChatHeader
      accountId={peer}
      name={name}
      photo={contact?.picture}
      status={status}
      isTyping={isTyping}
      isOnline={isOnline}
      isVerified={isVerified}
      isAssistant={contact?.isAssistant === true}
      {...actions}
    />
  );
}
