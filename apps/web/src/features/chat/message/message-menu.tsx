import type { Message } from '@dostar/client';
import {
  CircleCheck,
  Copy,
  Download,
  Forward,
  Info,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  Reply,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react';
import { type ReactNode, Suspense, useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { ContextMenu } from '../../../ui/context-menu.tsx';
import { cx } from '../../../ui/cx.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import type { MenuItem } from '../../../ui/menu-items.tsx';
import { useChat } from '../chat-context.ts';
import { listActions, type MessageAction } from './list-actions.ts';

const QuickReactions = lazyComponent(async () => (await import('./quick-reactions.tsx')).QuickReactions);

const icons: Record<MessageAction, LucideIcon> = {
  reply: Reply,
  copy: Copy,
  edit: Pencil,
  forward: Forward,
  pin: Pin,
  star: Star,
  save: Download,
  info: Info,
  select: CircleCheck,
  delete: Trash2,
};

interface MessageMenuProps {
  message: Message;
  isOwn: boolean;
  /** Fills its container, for a tile of an album. */
  isFilling?: boolean;
  children: ReactNode;
}

/** Context menu of a message, opened by right click, long press or the menu key. */
export function MessageMenu({ message, isOwn, isFilling = false, children }: MessageMenuProps) {
  const { t } = useTranslation('chat');
  const { act, react } = useChat();
  const isWriting = useRef(false);
  const actions = listActions(message, isOwn);
  if (actions.length === 0) return children;

  function listItems(): MenuItem[] {
    return actions.map((action) => {
      const { label, Icon } = nameAction(action, message);
      return {
        label: t(`actions.${label}`),
        icon: <Icon aria-hidden className="size-5" />,
        isDangerous: action === 'delete',
        onSelect() {
          isWriting.current = action === 'reply' || action === 'edit';
          act(action, message);
        },
      };
    });
  }

  /** Focuses the message, or leaves the focus to the composer. The menu alone would focus a button in the message. */
  function handleFocusBack(trigger: HTMLElement): false {
    if (!isWriting.current) trigger.closest('article')?.focus({ preventScroll: true });
    isWriting.current = false;
    return false;
  }

  return (
    <ContextMenu
      listItems={listItems}
      label={t('actions.label')}
      top={
        actions.includes('reply') && (
          <Suspense>
            <QuickReactions onPick={(emoji) => react(message, emoji)} />
          </Suspense>
        )
      }
      onFocusBack={handleFocusBack}
      className={cx('select-text pointer-coarse:select-none', isFilling && 'size-full')}
    >
      {children}
    </ContextMenu>
  );
}

function nameAction(action: MessageAction, { isPinned, isStarred }: Message) {
  if (action === 'pin' && isPinned) return { label: 'unpin', Icon: PinOff } as const;
  if (action === 'star' && isStarred) return { label: 'unstar', Icon: StarOff } as const;
  return { label: action, Icon: icons[action] } as const;
}
