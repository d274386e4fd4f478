import { afterEach, expect, it, vi } from 'vitest';
import { dismissFeedback, readFeedback } from '../../core/lib/feedback.ts';
import { copyUsername } from './copy-username.ts';

const sentences = { empty: 'Username is empty', copied: 'Username copied to clipboard' };

afterEach(() => {
  dismissFeedback();
  vi.unstubAllGlobals();
});

function stubClipboard() {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  return writeText;
}

it('copies a username and shows a confirmation', async () => {
  const writeText = stubClipboard();
  await copyUsername('calmcamel1234', sentences);
  expect(writeText).toHaveBeenCalledWith('calmcamel1234');
  expect(readFeedback()).toMatchObject({ state: 'success', message: 'Username copied to clipboard' });
});

it('does not copy an empty username', async () => {
  const writeText = stubClipboard();
  await copyUsername('', sentences);
  expect(writeText).not.toHaveBeenCalled();
  expect(readFeedback()).toMatchObject({ state: 'error', message: 'Username is empty' });
});
