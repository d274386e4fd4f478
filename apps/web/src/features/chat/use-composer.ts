/** The message field of one chat: its text, what it is doing, and the draft that outlives the page. */
import type { Client, Message, SavedDraft } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { saveBeforeReload } from '../../core/messenger/unsaved.ts';
import { type ComposerState, idle } from './composer/composer-state.ts';

const SAVE_AFTER_MS = 300;
const TYPING_EVERY_MS = 4000;

interface ComposerOptions {
  client: Client;
  chat: ChatId;
  to: AccountId;
  /** Kept from the last time, on this device or another; missing until it has been read. */
  saved: SavedDraft | null | undefined;
}

export function useComposer({ client, chat, to, saved }: ComposerOptions) {
  const [state, setState] = useState<ComposerState>(idle);
  const [text, setText] = useState(saved?.text ?? '');
  const touched = useRef(false);
  const typedAt = useRef(0);
  /** Saves what was typed last, while that is not done. */
  const unsaved = useRef<() => Promise<void>>(undefined);

  // The draft of another device comes in only while nothing was typed here.
  useEffect(() => {
    if (!touched.current && saved !== undefined) setText(saved?.text ?? '');
  }, [saved]);

  const isEditing = state.kind === 'editing';
  useEffect(() => {
    if (!touched.current || isEditing) return;
    const save = (): Promise<void> => client.saveDraft(chat, text === '' ? undefined : { text });
    const saveNow = (): void => {
      unsaved.current = undefined;
      void save();
    };
    unsaved.current = save;
    const timer = setTimeout(saveNow, SAVE_AFTER_MS);
    const stop = saveBeforeReload(save);
    document.addEventListener('visibilitychange', saveNow);
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener('visibilitychange', saveNow);
    };
  }, [client, chat, text, isEditing]);

  // A user who leaves the chat in the middle of a word finds it again. A closed database can't save it.
  useEffect(() => () => void unsaved.current?.().catch(() => {}), []);

  const change = useCallback(
    (next: string) => {
      touched.current = true;
      setText(next);
      if (next !== '' && Date.now() - typedAt.current > TYPING_EVERY_MS) {
        typedAt.current = Date.now();
        void client.sendTyping(to);
      }
    },
    [client, to],
  );

  function leave(nextText: string): void {
    touched.current = true;
    unsaved.current = undefined;
    setState(idle);
    setText(nextText);
  }

  return {
    state,
    text,
    change,
    cancel: () => leave(state.kind === 'editing' ? state.draft : text),
    reply: (message: Message, name: string, preview: string) =>
      setState({ kind: 'replying', to: { sender: message.sender, id: message.id }, name, preview }),
    edit(message: Message, words: string) {
      const { sender, id } = message;
      // Or a draft of another device would take the place of the words that are to be changed.
      touched.current = true;
      setState({ kind: 'editing', target: { sender, id }, preview: words, draft: isEditing ? state.draft : text });
      setText(words);
    },
    /** The words are in sight when this returns, and safe on this device when its promise resolves. */
    async send(): Promise<void> {
      const words = text.trim();
      if (words === '') return;
      if (state.kind === 'editing') {
        const { target, draft, preview } = state;
        leave(draft);
        if (words === preview) return;
        return await client.editText({ to, target, text: words }).catch((error: unknown) => {
          // What can't be said goes back to be changed.
          if (error instanceof AppError) {
            setState(state);
            setText(words);
          }
          throw error;
        });
      }
      const replyTo = state.kind === 'replying' ? state.to : undefined;
      leave('');
      try {
        await client.sendText({ to, text: words, isDraft: true, ...(replyTo && { replyTo }) });
      } catch (error) {
        // What could not be written down stays in its bubble, which says so. What can't be said goes back to be changed.
        if (error instanceof AppError) setText(words);
        throw error;
      }
    },
  };
}
