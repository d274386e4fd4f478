import type { Client, Message } from '@dostar/client';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import type { People } from '../../core/messenger/people.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { prefetchWhenIdle, lazyComponent } from '../../ui/lazy-component.ts';
import { ChatBottom } from './chat-bottom.tsx';
import { type ChatContext, ChatProvider } from './chat-context.ts';
import { ChatTop } from './chat-top.tsx';
import { UploadTray } from './composer/upload-tray.tsx';
import { DropZone } from './drop-zone.tsx';
import { isPicture } from './gallery/is-picture.ts';
import { AlbumItem, albumOf } from './message/album-item.tsx';
import { listActions } from './message/list-actions.ts';
import { MessageItem } from './message/message-item.tsx';
import { useChatSearch } from './search/use-chat-search.ts';
import type { DoubtfulLink } from './text/doubtful-link.ts';
import { Announcer } from './timeline/announcer.tsx';
import { EmptyChat } from './timeline/empty-chat.tsx';
import { estimateHeight } from './timeline/estimate-height.ts';
import { listRows } from './timeline/list-rows.ts';
import { Timeline, type TimelineHandle } from './timeline/timeline.tsx';
import { useReadTracking } from './timeline/use-read-tracking.ts';
import { useDelayedMessages } from './timeline/use-delayed-messages.ts';
import { useTimeline } from './timeline/use-timeline.ts';
import { useAttaching } from './use-attaching.ts';
import { useComposer } from './use-composer.ts';
import { useMessageActions } from './use-message-actions.ts';
import { useHighlight } from './use-highlight.ts';
import { useIdentity } from './use-identity.ts';
import { useStableHandlers } from './use-stable-handlers.ts';
import { useJumpTarget } from './use-jump-target.ts';

const LinkDialog = lazyComponent(async () => (await import('./dialogs/link-dialog.tsx')).LinkDialog);
const ChatDialogs = lazyComponent(async () => (await import('./chat-dialogs.tsx')).ChatDialogs);

interface ChatViewProps {
  client: Client;
  me: AccountId;
  peer: AccountId;
  username: string;
  people: People;
}

export function ChatView({ client, me, peer, username, people }: ChatViewProps) {
  const { t } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const chat = directChat(me, peer);
  const contact = people.find(peer);
  const name = people.nameOf(peer) ?? username;
  const list = useRef<TimelineHandle>(null);
  const isAccepting = useRef(false);
  const { window, goUp, goDown, goTo, goToEnd } = useTimeline(client, chat);
  const messages = useDelayedMessages(window?.messages);
  const { opening, newCount, handleSeen } = useReadTracking({ client, chat, me, window, onMore: goUp });
  const hasOlder = window?.hasOlder ?? false;
  const rows = useMemo(
    () => (opening && messages ? listRows(messages, { unreadFrom: opening.from, albumOf, hasOlder }) : []),
    [messages, opening, hasOlder],
  );
  const composer = useComposer({ client, chat, to: peer, saved: useLive(client.live.draft(chat)) });
  const attaching = useAttaching({ client, to: peer, t, onSent: showEnd });
  const { highlighted, jumpTo } = useHighlight({ list, rows, goTo });
  const search = useChatSearch({ client, chat, onFound: ({ message }) => jumpTo(message) });
  const identity = useIdentity(client, peer);
  const [viewed, setViewed] = useState<Message>();
  const [doubtfulLink, setDoubtfulLink] = useState<DoubtfulLink>();
  useJumpTarget(jumpTo);
  const isShown = opening !== undefined;
  useEffect(() => {
    if (isShown) prefetchWhenIdle();
  }, [isShown]);

  const nameOf = useCallback((id: AccountId) => people.nameOf(id) ?? t('header.unknown'), [people, t]);
  const messageActions = useMessageActions({
    client,
    me,
    peer,
    t,
    tSaid,
    onReply: (message) =>
      composer.reply(message, message.sender === me ? t('message.you') : name, messageActions.preview(message)),
    onEdit: composer.edit,
    onSave: (message) => void attaching.save(message),
  });

  const stable = useStableHandlers({
    act: messageActions.act,
    react: messageActions.react,
    retry: (message: Message) => void client.retryMessage(message.id).catch(() => {}),
    withdraw: (message: Message) => void client.cancelMessage(message.id),
    toggleSelected: messageActions.toggleSelected,
    endSelection: () => messageActions.setSelected(undefined),
    jumpTo,
    openMedia: (message: Message) => (isPicture(message) ? setViewed(message) : void attaching.save(message)),
    askAboutLink: setDoubtfulLink,
  });
  const isInert = contact?.state === 'asked';
  const isStranger = contact?.state !== 'accepted';
  const { selected } = messageActions;
  const found = search.current;
  const context: ChatContext = useMemo(
    () => ({
      me,
      nameOf,
      isInert,
      isStranger,
      marked: found && {
        id: found.message.id,
        words: found.snippet.matches.map(([from, to]) => found.snippet.text.slice(from, to)),
      },
      selection: selected && new Set(selected.keys()),
      ...stable,
    }),
    [me, nameOf, isInert, isStranger, found, selected, stable],
  );

  function handleEditLast(): void {
    const last = messages?.findLast((one) => one.sender === me && listActions(one, true).includes('edit'));
    if (last) messageActions.act('edit', last);
  }

  function showEnd(): void {
    goToEnd();
    list.current?.scrollToEnd();
  }

  async function handleSend(): Promise<void> {
    goToEnd();
    // Not awaited before `send`: text that the user types while the database is busy would be sent too.
    const accepted = contact?.state === 'accepted' ? undefined : accept();
    const saved = composer.send();
    // In the next frame, which renders the new bubble, even if the user had scrolled up.
    requestAnimationFrame(() => list.current?.scrollToEnd());
    await Promise.all([accepted, saved]);
  }

  /** Sending a message accepts the contact. The flag stops a second Enter from accepting again meanwhile. */
  async function accept(): Promise<void> {
    if (isAccepting.current) return;
    isAccepting.current = true;
    await client.contacts.accept(peer).finally(() => {
      isAccepting.current = false;
    });
  }

  const latest = messages?.findLast(({ sender }) => sender !== me);
  return (
    <ChatProvider value={context}>
      <ChatTop
        client={client}
        chat={chat}
        peer={peer}
        name={name}
        people={people}
        isVerified={identity === 'verified'}
        messageActions={messageActions}
        search={search}
        onJump={jumpTo}
      />
      <DropZone isOpen={contact?.state !== 'asked' && contact?.state !== 'blocked'} onFiles={attaching.choose}>
        {window?.messages.length === 0 ? (
          <EmptyChat name={name} onWave={() => void client.sendText({ to: peer, text: '👋' })} />
        ) : (
          <Timeline
            ref={list}
            rows={rows}
            estimateHeight={estimateHeight}
            unreadCount={opening?.count ?? 0}
            newCount={newCount}
            hasNewer={window?.hasNewer ?? false}
            onReachTop={goUp}
            onReachEnd={goDown}
            onSeen={handleSeen}
            onJumpToEnd={goToEnd}
            renderRow={(row) =>
              row.kind === 'album' ? (
                <AlbumItem
                  messages={row.messages}
                  isFirst={row.isFirst}
                  isLast={row.isLast}
                  highlighted={highlighted}
                />
              ) : (
                <MessageItem
                  message={row.message}
                  isFirst={row.isFirst}
                  isLast={row.isLast}
                  isHighlighted={row.message.id === highlighted}
                />
              )
            }
          />
        )}
        <Announcer latest={latest && { id: latest.id, words: t('timeline.said', { name }) }} />
        <UploadTray client={client} to={peer} />
        <ChatBottom
          client={client}
          peer={peer}
          name={name}
          contact={contact}
          composer={composer}
          identity={identity}
          onSend={() => void handleSend().catch(() => {})}
          onEditLast={handleEditLast}
          onFiles={attaching.choose}
          onVoice={(note) => void attaching.sendVoice(note)}
        />
      </DropZone>
      {(viewed ?? attaching.chosen ?? messageActions.dialog) !== undefined && (
        <Suspense>
          <ChatDialogs
            client={client}
            chat={chat}
            peer={peer}
            people={people}
            me={me}
            messageActions={messageActions}
            attaching={attaching}
            viewed={viewed}
            onView={setViewed}
            onJump={jumpTo}
          />
        </Suspense>
      )}
      {doubtfulLink !== undefined && (
        <Suspense>
          <LinkDialog link={doubtfulLink} onClose={() => setDoubtfulLink(undefined)} />
        </Suspense>
      )}
    </ChatProvider>
  );
}
