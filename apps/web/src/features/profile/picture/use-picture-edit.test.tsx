import type { Profile } from '@dostar/protocol/contract/profile';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readFeedback } from '../../../core/lib/feedback.ts';
import { sessionStore } from '../../../core/session/session.ts';
import { readTexts } from '../../../core/i18n/texts.ts';
import { TextsContext } from '../../../core/i18n/use-translation.ts';
import { usePictureEdit } from './use-picture-edit.ts';

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  // Browser APIs that the test environment lacks.
  vi.stubGlobal('createImageBitmap', async () => ({ width: 10, height: 10 }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['x'], { type: 'image/webp' })),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Header of a PNG of 1 × 1 pixel: a picture of unknown size is rejected. */
const onePixel = Uint8Array.from('\u0089PNG\r\n\u001A\n\0\0\0\rIHDR\0\0\0\u0001\0\0\0\u0001', (letter) =>
  letter.codePointAt(0)!,
);

async function savePicture(): Promise<void> {
  let edit: ReturnType<typeof usePictureEdit>;
  function Editor() {
    edit = usePictureEdit('picture', {} as Profile, () => {});
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() =>
    root.render(
      <TextsContext value={readTexts('en')}>
        <Editor />
      </TextsContext>,
    ),
  );
  await act(() => edit.choose(new File([onePixel], 'me.png')));
  await act(() => edit.save());
  act(() => root.unmount());
}

test.each([
  ['account', 'your storage on the server is full. Delete files you’ve sent, then try again.'],
  ['server', 'the server is out of space. Try again later.'],
])('a picture for which there is no room: the reason is that the storage of the %s is full', async (full, reason) => {
  const account = { id: 'a11ce000-0000-4000-8000-000000000001', username: 'alice', name: 'Alice' };
  sessionStore.write({ status: 'signed-in', account });
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: false, error: 'insufficient_storage', details: { full } }, { status: 507 }),
  );
  await savePicture();
  expect(readFeedback()).toMatchObject({ state: 'error', message: `Failed to update profile, ${reason}` });
});

test('a picture without a signed-in user shows the error message of the specification', async () => {
  sessionStore.write({ status: 'signed-out' });
  await savePicture();
  expect(readFeedback()).toMatchObject({
    state: 'error',
    message: 'Failed to update profile, There is not user state in pinia',
  });
});
