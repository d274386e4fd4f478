import { afterEach, expect, it, vi } from 'vitest';
import { sessionStore } from '../../core/session/session.ts';
import { loadOwnProfile } from './own-profile.ts';
import { uploadPicture } from './picture/upload-picture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('is not asked for when no user is signed in, and the console says so', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  sessionStore.write({ status: 'signed-out' });
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await loadOwnProfile();
  expect(warn.mock.calls).toEqual([['There no user in globalSettingStore']]);
  expect(fetched).not.toHaveBeenCalled();
});

it('takes no picture without a user', async () => {
  sessionStore.write({ status: 'signed-out' });
  const sending = uploadPicture(new Blob(['x']), () => {}, new AbortController().signal);
  await expect(sending).rejects.toThrow(/^There is not user state in pinia$/);
});
