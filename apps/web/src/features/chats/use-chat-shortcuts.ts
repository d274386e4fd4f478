/** Shortcuts between chats: Alt+arrow (next), Alt+Shift+arrow (next unread), Alt+digit (one of the first nine). */
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isMac } from '../../core/lib/is-mac.ts';
import { chatPath } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import type { ListedChat } from './listed-chat.ts';

type Pressed = Pick<KeyboardEvent, 'code' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

export function useChatShortcuts(chats: readonly ListedChat[], openName: string | undefined): void {
  const navigate = useNavigate();
  const local = useLocalPath();
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent): void {
      if (document.querySelector('[role=dialog], [role=menu]')) return;
      const username = chooseChat(chats, openName, event, isMac);
      if (username === undefined) return;
      event.preventDefault();
      void navigate(local(chatPath(username)));
    }
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, [chats, openName, navigate, local]);
}

/** Username of the chat that a shortcut selects. */
export function chooseChat(
  chats: readonly ListedChat[],
  openName: string | undefined,
  { code, altKey, shiftKey, ctrlKey, metaKey }: Pressed,
  onMac: boolean,
): string | undefined {
  // On a Mac, Option types characters and moves the caret by words, so the shortcuts also need Control.
  if (!altKey || ctrlKey !== onMac || metaKey) return undefined;
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  if (digit !== undefined) return chats[Number(digit) - 1]?.contact?.username;
  if (code !== 'ArrowUp' && code !== 'ArrowDown') return undefined;
  const here = chats.findIndex(({ contact }) => contact?.username !== undefined && contact.username === openName);
  const rest = code === 'ArrowDown' ? chats.slice(here + 1) : chats.slice(0, Math.max(here, 0)).toReversed();
  return rest.find(({ summary }) => !shiftKey || summary.unread > 0)?.contact?.username;
}
