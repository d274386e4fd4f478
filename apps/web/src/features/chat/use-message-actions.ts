/** Actions on the messages of one chat, with their dialogs. */
import type { Client, Message } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import type { Translate } from '../../core/i18n/translator.ts';
import { useState } from 'react';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { previewMessage } from '../../core/messenger/preview-message.ts';
import type { MessageAction } from './message/list-actions.ts';

export type OpenDialog =
  | { kind: 'delete'; messages: Message[] }
  | { kind: 'forward'; messages: Message[] }
  | { kind: 'info'; message: Message }
  | { kind: 'timer' }
  | { kind: 'gallery' }
  | undefined;

interface MessageActionOptions {
  client: Client;
  me: AccountId;
  peer: AccountId;
  t: Translate<'chat'>;
  tSaid: Translate<'said'>;
  onReply: (message: Message) => void;
  onEdit: (message: Message, words: string) => void;
  onSave: (message: Message) => void;
}

export function useMessageActions({ client, me, peer, t, tSaid, onReply, onEdit, onSave }: MessageActionOptions) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const [selected, setSelected] = useState<ReadonlyMap<string, Message>>();

  function act(action: MessageAction, message: Message): void {
    switch (action) {
      case 'reply':
        return onReply(message);
      case 'edit':
        return onEdit(message, wordsOf(message));
      case 'copy':
        return void copy([message]);
      case 'forward':
        return setDialog({ kind: 'forward', messages: [message] });
      case 'pin':
        return void client.pin({ to: peer, target: message, isPinned: !message.isPinned });
      case 'star':
        return void client.star(message, !message.isStarred);
      case 'save':
        return onSave(message);
      case 'info':
        return setDialog({ kind: 'info', message });
      case 'select':
        return setSelected(new Map([[message.id, message]]));
      case 'delete':
        return setDialog({ kind: 'delete', messages: [message] });
    }
  }

  async function copy(messages: readonly Message[]): Promise<void> {
    await navigator.clipboard.writeText(messages.map(wordsOf).filter(Boolean).join('\n'));
    showFeedback('success', t('actions.copied'), successDuration);
  }

  async function remove(messages: readonly Message[], forEveryone: boolean): Promise<void> {
    setDialog(undefined);
    setSelected(undefined);
    // The client checks each message again: a queued message may have been sent while the dialog was open.
    for (const message of messages) {
      if (forEveryone) await client.deleteForEveryone(message);
      else await client.deleteForMe(message);
    }
  }

  return {
    dialog,
    setDialog,
    selected,
    setSelected,
    act,
    copy,
    remove,
    react(message: Message, emoji: string) {
      const mine = message.reactions.some((reaction) => reaction.emoji === emoji && reaction.by.includes(me));
      void client.react({ to: peer, target: message, emoji: mine ? null : emoji });
    },
    toggleSelected(message: Message) {
      setSelected((before) => {
        const next = new Map(before);
        if (!next.delete(message.id)) next.set(message.id, message);
        return next;
      });
    },
    async forward(messages: readonly Message[], to: AccountId) {
      setDialog(undefined);
      setSelected(undefined);
      await client.forwardMessages({ to, targets: messages.map(({ sender, id }) => ({ sender, id })) });
      showFeedback('success', t('forward.done'), successDuration);
    },
    preview: (message: Message) => previewMessage(message.shows, tSaid),
  };
}

function wordsOf({ shows }: Message): string {
  if (shows.state !== 'content') return '';
  if (shows.content.kind === 'text') return shows.content.text;
  return shows.content.kind === 'media' ? (shows.content.caption ?? '') : '';
}
