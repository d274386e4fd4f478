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

/** The message field of an open chat. */
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

test('leaving the chat saves the text as a draft', () => {
  const field = openField();
  field.type('half a thought');
  field.leave();
  expect(client.saveDraft).toHaveBeenCalledExactlyOnceWith(chat, { text: 'half a thought' });
});

test('leaving the chat with an emptied field deletes the draft', () => {
  const field = openField();
  field.type('half a thought');
  act(() => void vi.runAllTimers());
  field.type('');
  field.leave();
  expect(client.saveDraft).toHaveBeenLastCalledWith(chat, undefined);
});

test('starting an edit does not lose a draft that was not saved yet', () => {
  const field = openField();
  field.type('half a thought');
  field.edit('what was said');
  field.leave();
  expect(client.saveDraft).toHaveBeenCalledExactlyOnceWith(chat, { text: 'half a thought' });
});

test('a sent text is not saved as a draft', async () => {
  const field = openField();
  field.type('said');
  await act(() => field.get().send());
  field.leave();
  expect(client.saveDraft).not.toHaveBeenCalledWith(chat, { text: 'said' });
});

test('a rejected edit returns to the field', async () => {
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

test('a draft from another device does not replace the text of an edit', () => {
  const field = openField();
  field.edit('what was said');
  field.hear('a draft from the phone');
  expect(field.get().text).toBe('what was said');
});
