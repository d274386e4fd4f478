/** State of the message field of one chat: its text, its mode and its draft. */
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
  /** The stored draft, from this device or another; null if there is none, undefined until it is loaded. */
  saved: SavedDraft | null | undefined;
}

export function useComposer({ client, chat, to, saved }: ComposerOptions) {
  const [state, setState] = useState<ComposerState>(idle);
  const [text, setText] = useState(saved?.text ?? '');
  const touched = useRef(false);
  const typedAt = useRef(0);
  /** Saves the latest text; undefined once it is saved. */
  const unsaved = useRef<() => Promise<void>>(undefined);

  // A draft from another device replaces the text only until the user types here.
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

  // Leaving the chat saves the draft. Saving fails if the database is closed already.
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
      // Prevents a draft from another device from replacing the text of the edit.
      touched.current = true;
      setState({ kind: 'editing', target: { sender, id }, preview: words, draft: isEditing ? state.draft : text });
      setText(words);
    },
    /** Shows the message before it returns; the promise resolves when the message is stored on this device. */
    async send(): Promise<void> {
      const words = text.trim();
      if (words === '') return;
      if (state.kind === 'editing') {
        const { target, draft, preview } = state;
        leave(draft);
        if (words === preview) return;
        return await client.editText({ to, target, text: words }).catch((error: unknown) => {
          // The client rejected the edit, for example as too long: restore it in the field.
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
        // The client rejected the text, for example as too long: restore it. After any other error the bubble keeps it.
        if (error instanceof AppError) setText(words);
        throw error;
      }
    },
  };
}
