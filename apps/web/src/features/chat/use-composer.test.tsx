import type { Client, Message, SavedDraft } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useComposer } from './use-composer.ts';

const chat = 'chat' as ChatId;
const client = { saveDraft: vi.fn(), sendTyping: vi.fn(), sendText: vi.fn(), editText: vi.fn() };

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  for (const call of Object.values(client)) call.mockReset().mockResolvedValue(undefined);
});
afterEach(() => void vi.useRealTimers());

/** A chat that is open, as far as its field goes. */
function openField(saved: SavedDraft | null = null) {
  const root = createRoot(document.createElement('div'));
  let composer: ReturnType<typeof useComposer>;
  function Field() {
    composer = useComposer({ client: client as unknown as Client, chat, to: 'peer' as AccountId, saved });
    return null;
  }
  act(() => root.render(<Field />));
  return {
    get: () => composer,
    type: (text: string) => act(() => composer.change(text)),
    edit: (words: string) => act(() => composer.edit({ sender: 'me', id: 'id' } as unknown as Message, words)),
    hear(text: string) {
      saved = { text };
      act(() => root.render(<Field />));
    },
    leave: () => act(() => root.unmount()),
  };
}

test('what is typed a moment before the chat is left is its draft', () => {
  const field = openField();
  field.type('half a thought');
  field.leave();
  expect(client.saveDraft).toHaveBeenCalledExactlyOnceWith(chat, { text: 'half a thought' });
});

test('a field that is emptied a moment before leaves no draft', () => {
  const field = openField();
  field.type('half a thought');
  act(() => void vi.runAllTimers());
  field.type('');
  field.leave();
  expect(client.saveDraft).toHaveBeenLastCalledWith(chat, undefined);
});

test('a draft that was about to be saved when a message is changed is saved all the same', () => {
  const field = openField();
  field.type('half a thought');
  field.edit('what was said');
  field.leave();
  expect(client.saveDraft).toHaveBeenCalledExactlyOnceWith(chat, { text: 'half a thought' });
});

test('what was said is no draft', async () => {
  const field = openField();
  field.type('said');
  await act(() => field.get().send());
  field.leave();
  expect(client.saveDraft).not.toHaveBeenCalledWith(chat, { text: 'said' });
});

test('a change that can not be said goes back to be changed', async () => {
  client.editText.mockRejectedValue(new AppError('invalid_request'));
  const field = openField();
  field.edit('what was said');
  field.type('far too much');
  await act(() =>
    field
      .get()
      .send()
      .catch(() => {}),
  );
  expect(field.get()).toMatchObject({ text: 'far too much', state: { kind: 'editing', preview: 'what was said' } });
});

test('a draft of another device leaves alone the words that are being changed', () => {
  const field = openField();
  field.edit('what was said');
  field.hear('a draft from the phone');
  expect(field.get().text).toBe('what was said');
});
