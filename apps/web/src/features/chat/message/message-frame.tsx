import type { Message } from '@dostar/client';
import { Reply } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { cx } from '../../../ui/cx.ts';
import { useChat } from '../chat-context.ts';
import { listActions } from './list-actions.ts';
import { SelectBox } from './select-box.tsx';
import { useSwipe } from './use-swipe.ts';

interface MessageFrameProps {
  /** Target of keyboard actions and swipes. */
  message: Message;
  /** Messages that are selected together, such as the pictures of an album. */
  messages: readonly Message[];
  /** Accessible name: sender, content, time and status. */
  label: string;
  children: ReactNode;
}

const keys: Partial<Record<string, 'reply' | 'copy' | 'forward' | 'delete'>> = {
  KeyR: 'reply',
  KeyC: 'copy',
  KeyF: 'forward',
  Delete: 'delete',
};

/** One focusable element per message. Shortcuts use physical keys: on a Russian layout the R key types К. */
export function MessageFrame({ message, messages, label, children }: MessageFrameProps) {
  const { me, selection, act, toggleSelected, endSelection } = useChat();
  const actions = listActions(message, message.sender === me);
  const article = useRef<HTMLElement>(null);
  const { shift, handlers } = useSwipe(() => act('reply', message), actions.includes('reply') && !selection);
  const isSelected = messages.every(({ id }) => selection?.has(id));

  function toggle(): void {
    for (const one of messages) if (selection?.has(one.id) === isSelected) toggleSelected(one);
  }

  /** React bubbles clicks of the portalled menu to this handler; its "Select" click must not undo the selection. */
  function handleClick(event: MouseEvent<HTMLElement>): void {
    if (event.target instanceof Node && event.currentTarget.contains(event.target)) toggle();
  }

  /** Opens the context menu at the bubble, because a key press has no pointer position. */
  function openMenu(): void {
    const bubble = article.current?.querySelector('[data-bubble]');
    const box = bubble?.getBoundingClientRect();
    if (!bubble || !box) return;
    const at = { clientX: box.left + Math.min(48, box.width / 2), clientY: box.top + box.height / 2 };
    bubble.dispatchEvent(new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }));
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.code];
    if (selection && event.key === 'Escape') endSelection();
    else if (selection && (event.key === ' ' || event.key === 'Enter')) toggle();
    else if (event.key === 'Enter') openMenu();
    else if (event.code === 'KeyE') article.current?.querySelector<HTMLElement>('[data-react]')?.click();
    else if (action !== undefined && actions.includes(action)) act(action, message);
    else return;
    event.preventDefault();
  }

  /** The menu key fires on the focused article, but the context menu belongs to the bubble inside it. */
  function handleContextMenu(event: MouseEvent): void {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    openMenu();
  }

  return (
    <article
      ref={article}
      role="article"
      tabIndex={-1}
      data-message={message.id}
      aria-label={label}
      onKeyDown={handleKeyDown}
      onContextMenu={handleContextMenu}
      onClick={selection && handleClick}
      {...handlers}
      className={cx(
        'group/message relative flex touch-pan-y items-center rounded-field outline-offset-[-2px]',
        selection && 'cursor-pointer',
      )}
      style={shift > 0 ? { transform: `translateX(${shift}px)` } : undefined}
    >
      {shift > 0 && (
        <span
          aria-hidden
          className="absolute -left-9 flex size-8 items-center justify-center rounded-round bg-surface text-accent shadow-card"
          style={{ opacity: Math.min(1, shift / 56) }}
        >
          <Reply className="size-4.5" />
        </span>
      )}
      {selection && <SelectBox isSelected={isSelected} />}
      <div className={cx('min-w-0 grow', selection && 'pointer-events-none')}>{children}</div>
    </article>
  );
}
