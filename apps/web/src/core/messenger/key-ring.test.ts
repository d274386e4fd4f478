import { openWorkerKeyRing } from '@dostar/client/key-ring-worker';
import type { AccountId } from '@dostar/protocol/ids';
import { afterEach, expect, test, vi } from 'vitest';
import { registerNewDevice } from '../notifications/push.ts';
import { openKeyRing } from './key-ring.ts';

vi.mock('@dostar/client/key-ring-worker', () => ({ openWorkerKeyRing: vi.fn() }));
vi.mock('../notifications/push.ts', () => ({ registerNewDevice: vi.fn(async () => {}) }));

afterEach(() => vi.unstubAllGlobals());

test('a new device registers for pushes: the server has deleted the push target with the old device', async () => {
  const onRenew = vi.fn<(listener: () => void) => void>();
  vi.mocked(openWorkerKeyRing).mockReturnValue({ onRenew } as never);
  vi.stubGlobal('Worker', EventTarget);
  openKeyRing('dana' as AccountId);
  expect(registerNewDevice).not.toHaveBeenCalled();
  onRenew.mock.calls[0]![0]();
  await vi.waitFor(() => expect(registerNewDevice).toHaveBeenCalledOnce());
});
