import { afterEach, expect, it, vi } from 'vitest';
import { sessionStore } from '../../core/session/session.ts';
import { loadOwnProfile } from './own-profile.ts';
import { uploadPicture } from './picture/upload-picture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('is not requested without a signed-in user, and the console shows a warning', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  sessionStore.write({ status: 'signed-out' });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await loadOwnProfile();
  expect(warn.mock.calls).toEqual([['There no user in globalSettingStore']]);
  expect(fetched).not.toHaveBeenCalled();
});

it('rejects a picture without a signed-in user', async () => {
  sessionStore.write({ status: 'signed-out' });
  const sending = uploadPicture(new Blob(['x']), () => {}, new AbortController().signal);
  await expect(sending).rejects.toThrow(/^There is not user state in pinia$/);
});
