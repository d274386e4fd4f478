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
    // How they are called and look now. Without a network the chat shows them as they were.
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
