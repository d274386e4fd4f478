/** NATS as the installers set it up: one user with a password, who may use the server's subjects and no others. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { freePort, startNats } from '@dostar/tools/servers';
import type { Nats } from '@dostar/tools/servers';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { connectBus } from '../src/platform/bus/bus.ts';
import { connectNats } from '../src/platform/bus/nats.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const PASSWORD = randomBytes(24).toString('base64url');
const credentials = `dostar:${PASSWORD}`;
const stack = new AsyncDisposableStack();
const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });
let nats: Nats;
let cluster: TestCluster;
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'nats-users-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  nats = stack.use(await startNats({ dir, port: await freePort(), credentials }));
  cluster = stack.use(
    await startTestCluster({
      postgresUrl: inject('postgresUrl'),
      natsUrl: nats.url,
      servers: 2,
      env: { NATS_CREDENTIALS: credentials },
      overrides: { log },
    }),
  );
});
afterAll(() => stack.disposeAsync());

test.each([
  ['no credentials', undefined],
  ['a wrong password', 'dostar:wrong'],
  ['another user', `root:${PASSWORD}`],
])('NATS refuses %s', async (_, wrong) => {
  await expect(connectNats({ servers: [nats.url], credentials: wrong }, 'test', false)).rejects.toThrow(
    /Authorization Violation/i,
  );
});

test('messages reach a socket of another process, and jobs are done', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.connect(bob, cluster.servers[1]);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await socket.until(() => socket.all('resumed').length === 1, 'an answer to resume');
  await cluster.send(alice, bob, 'hello');
  await socket.until(() => socket.entries().length === 1, 'the message');

  const greet = { name: 'greet', payload: z.object({ name: z.string() }) };
  const greeted: string[] = [];
  await using _work = cluster.ctx.jobs.work(greet, { run: async ({ payload }) => void greeted.push(payload.name) });
  await cluster.ctx.jobs.publish(greet, { name: 'Alice' }, { id: 'a' });
  await vi.waitFor(() => expect(greeted).toEqual(['Alice']), { timeout: 60_000 });
});

test('the server may use each of its subjects and no other, and the log names no account', async () => {
  const address = { servers: [nats.url], credentials };
  await using one = await connectBus(address, log);
  await using other = await connectBus(address, log);
  const heard: string[] = [];
  const own = ['account.a1', 'presence.a1', 'visibility.a1', 'session.ended', 'focus.ask', 'focus.answer.a1'];
  for (const subject of own) await other.subscribe(subject, () => heard.push(subject));
  // Subjects to which gateways reply.
  for (const subject of own) one.publish(subject, 'focus.answer.nobody');
  await vi.waitFor(() => expect(heard).toEqual(own));
  one.publish('foreign.a1', '');
  await vi.waitFor(() => expect(lines.join('')).toContain('NATS refuses'));
  expect(lines.filter((line) => line.includes('NATS refuses')).map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ operation: 'publish', subject: 'foreign' }),
  ]);
  expect(lines.join('')).not.toContain('foreign.a1');
});

test('the password is never logged', () => {
  expect(lines.join('')).not.toContain(PASSWORD);
});
