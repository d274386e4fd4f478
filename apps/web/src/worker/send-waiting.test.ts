import { beforeEach, expect, test, vi } from 'vitest';
import { loadAside } from './load-client.ts';
import { pressNotice } from './press-notice.ts';
import { sendWaiting } from './send-waiting.ts';

vi.mock('./load-client.ts', () => ({ loadAside: vi.fn() }));
vi.mock('./service-worker-state.ts', () => ({ readMemo: async () => undefined }));

const aside = {
  findAccount: vi.fn(async () => 'dana'),
  countWaiting: vi.fn(async () => 1),
  isLocked: vi.fn(async () => false),
  sendWaiting: vi.fn(async () => {}),
  writeText: vi.fn(async () => {}),
};
const openWindow = vi.fn(async () => null);
const notice = {
  close: () => {},
  data: { chat: 'c', at: 1, peer: 'bob', username: 'bob.1' },
} as unknown as Notification;

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('self', { clients: { matchAll: async () => [], openWindow } });
  vi.stubGlobal('navigator', { locks: {} });
  vi.mocked(loadAside).mockReturnValue(aside as never);
  aside.isLocked.mockResolvedValue(false);
  aside.countWaiting.mockResolvedValue(1);
});

test('L7: while the app is locked the outbox waits, and the browser is asked to try again later', async () => {
  aside.isLocked.mockResolvedValue(true);
  await expect(sendWaiting()).rejects.toThrow('still waits');
  expect(aside.sendWaiting).not.toHaveBeenCalled();
});

test('what waits is sent while the app is not locked', async () => {
  aside.sendWaiting.mockImplementationOnce(async () => void aside.countWaiting.mockResolvedValue(0));
  await sendWaiting();
  expect(aside.sendWaiting).toHaveBeenCalledOnce();
});

test('L7: a reply that is typed while the app is locked is not kept: the app opens', async () => {
  aside.isLocked.mockResolvedValue(true);
  await pressNotice(notice, 'reply', 'On my way');
  expect(aside.writeText).not.toHaveBeenCalled();
  expect(openWindow).toHaveBeenCalledWith('/contacts/bob.1');
});

test('a reply is kept and sent while the app is not locked', async () => {
  aside.sendWaiting.mockImplementationOnce(async () => void aside.countWaiting.mockResolvedValue(0));
  await pressNotice(notice, 'reply', 'On my way');
  expect(aside.writeText).toHaveBeenCalledWith('dana', 'bob', 'On my way');
  expect(openWindow).not.toHaveBeenCalled();
});
