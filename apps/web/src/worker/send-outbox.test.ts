import { beforeEach, expect, test, vi } from 'vitest';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { handleNotificationClick } from './notification-click.ts';
import { sendOutbox } from './send-outbox.ts';

vi.mock('./load-service-worker-client.ts', () => ({ loadServiceWorkerClient: vi.fn() }));
vi.mock('./service-worker-state.ts', () => ({ readServiceWorkerState: async () => undefined }));

const client = {
  findAccount: vi.fn(async () => 'dana'),
  countWaiting: vi.fn(async () => 1),
  isLocked: vi.fn(async () => false),
  sendWaiting: vi.fn(async () => {}),
  writeText: vi.fn(async () => {}),
};
const openWindow = vi.fn(async () => null);
const notification = {
  close: () => {},
  data: { chat: 'c', at: 1, peer: 'bob', username: 'bob.1' },
} as unknown as Notification;

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('self', { clients: { matchAll: async () => [], openWindow } });
  vi.stubGlobal('navigator', { locks: {} });
  vi.mocked(loadServiceWorkerClient).mockReturnValue(client as never);
  client.isLocked.mockResolvedValue(false);
  client.countWaiting.mockResolvedValue(1);
});

test('L7: while the app is locked the outbox waits, and the browser is asked to try again later', async () => {
  client.isLocked.mockResolvedValue(true);
  await expect(sendOutbox()).rejects.toThrow('still waits');
  expect(client.sendWaiting).not.toHaveBeenCalled();
});

test('waiting messages are sent while the app is not locked', async () => {
  client.sendWaiting.mockImplementationOnce(async () => void client.countWaiting.mockResolvedValue(0));
  await sendOutbox();
  expect(client.sendWaiting).toHaveBeenCalledOnce();
});

test('L7: a reply that is typed while the app is locked is not stored: the app opens', async () => {
  client.isLocked.mockResolvedValue(true);
  await handleNotificationClick(notification, 'reply', 'On my way');
  expect(client.writeText).not.toHaveBeenCalled();
  expect(openWindow).toHaveBeenCalledWith('/contacts/bob.1');
});

test('a reply is stored and sent while the app is not locked', async () => {
  client.sendWaiting.mockImplementationOnce(async () => void client.countWaiting.mockResolvedValue(0));
  await handleNotificationClick(notification, 'reply', 'On my way');
  expect(client.writeText).toHaveBeenCalledWith('dana', 'bob', 'On my way');
  expect(openWindow).not.toHaveBeenCalled();
});
