/** Users with phones, whose push services each behave differently. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import * as contract from '@dostar/protocol/contract/push';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { waitFor } from '@dostar/tools/servers';
import { sql } from 'kysely';
import { tagOf } from '../../../../apps/server/src/features/messaging/push/payload.ts';
import { findTarget } from '../../../../apps/server/src/features/messaging/push/store.ts';
import type { FcmService } from '../../../../apps/server/test/fcm-service.ts';
import { openTestFixture, TestSocket } from '../../../../apps/server/test/test-cluster.ts';
import type { SignedIn } from '../../../../apps/server/test/test-cluster.ts';
import type { Checks } from '../../security/isolation/checks.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import type { Service, ShownPush, Subscription } from './service.ts';

const WORDS = 'dinner at eight';
const WAIT_SECONDS = 12;
/** Tolerance: two clocks are compared, and Retry-After is in whole seconds. */
const CLOCKS_MS = 100;

interface Phone extends SignedIn {
  subscription: Subscription;
  tagKey: string;
}

export interface Services {
  service: Service;
  fcm: FcmService;
}

export async function checkDelivery(servers: Servers, { service, fcm }: Services, checks: Checks): Promise<void> {
  const { ctx, processes } = servers;
  const deployment = openTestFixture(ctx, processes[0]!.url);
  const alice = await deployment.addAccount(0);

  async function addPhone(person?: SignedIn): Promise<Phone> {
    const owner = person ?? (await deployment.addAccount());
    await deployment.befriend(alice, owner);
    const [subscription] = await service.add(1);
    const tagKey = randomBytes(32).toString('base64url');
    const input = { ...subscription!, tagKey, locale: 'kz' } as const;
    const { status } = await deployment.call(contract.putPushTarget, owner, input);
    if (status !== 200) throw new Error(`no target: ${status}`);
    return { ...owner, subscription: subscription!, tagKey };
  }
  const told = async (phone: Phone): Promise<ShownPush[]> =>
    (await service.read()).filter(({ endpoint }) => endpoint === phone.subscription.endpoint);

  await service.forget();
  const [bob, carol, dave, erin, frank, grace] = [
    await addPhone(),
    await addPhone(),
    await addPhone(),
    await addPhone(),
    await addPhone(),
    await addPhone(),
  ];
  const franksLaptop = await addPhone(await deployment.addDevice(frank));
  using socket = await TestSocket.open(processes[2]!.url, franksLaptop);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  socket.say({ t: 'focus', isFocused: true });
  socket.say({ t: 'ping', n: 1 });
  await socket.until(() => socket.all('pong').length === 1, 'the visible chat to be recorded');
  await service.answer(carol.subscription.endpoint, [{ status: 404 }]);
  await service.answer(dave.subscription.endpoint, [{ status: 410 }]);
  await service.answer(erin.subscription.endpoint, [{ status: 429, headers: { 'retry-after': String(WAIT_SECONDS) } }]);
  using stranger = await listenForStrangers();
  const refused = await deployment.call(contract.putPushTarget, grace, {
    ...grace.subscription,
    endpoint: stranger.url,
    tagKey: grace.tagKey,
    locale: 'en',
  });
  checks.that('an address that is not a push service is refused', refused.status === 400, () => String(refused.status));
  await sendElsewhere(servers, grace, stranger.url);

  const heidi = await deployment.addAccount();
  await deployment.befriend(alice, heidi);
  const input = { token: randomBytes(32).toString('base64url'), tagKey: bob.tagKey, locale: 'ru' } as const;
  await deployment.call(contract.putPushToken, heidi, input);
  const atFirebase = () => fcm.received.filter(({ token }) => token === input.token);

  for (const person of [bob, carol, dave, erin, frank, grace, heidi]) await deployment.send(alice, person, WORDS);
  await waitFor(async () => (await told(erin)).length > 1, { timeoutMs: 60_000, what: 'a second try' });
  await waitFor(async () => (await told(frank)).length > 0, { timeoutMs: 60_000, what: 'a push to the other device' });
  await waitFor(async () => (await told(bob)).length > 0, { timeoutMs: 60_000, what: 'a push' });

  await waitFor(async () => atFirebase().length > 0, { timeoutMs: 60_000, what: 'a message at Firebase' });

  const said = JSON.stringify(atFirebase());
  const isQuiet = [WORDS, alice.account, heidi.account].every((secret) => !said.includes(secret));
  checks.that('Firebase gets one message without private data', isQuiet && atFirebase().length === 1, () => said);
  checks.that('Firebase accepted every request', fcm.complaints.length === 0, () => fcm.complaints.join(', '));

  const [push] = await told(bob);
  const payload = contract.PushPayload.safeParse(JSON.parse(push!.text ?? 'null'));
  const chat = directChat(alice.account, bob.account);
  const { data } = payload;
  checks.that('a push names the chat by its tag', data?.id === tagOf(bob.tagKey, chat), () => push!.text ?? '');
  checks.that('a push has the number of unread messages', data?.n === 1 && data.at === 1, () => push!.text ?? '');
  for (const secret of [WORDS, alice.account, bob.account, bob.device, chat])
    checks.that('a push has no name and no text', !`${push!.text} ${push!.topic}`.includes(secret), () => secret);
  await deployment.call(contract.testPush, bob);
  const sizes = new Set((await told(bob)).map(({ bytes }) => bytes));
  checks.that('every push has one size', sizes.size === 1, () => [...sizes].join(', '));

  for (const [status, gone] of [[404, carol] as const, [410, dave] as const]) {
    const row = await ctx.shards.of(gone.account).query((db) => findTarget(db, gone.account, gone.device));
    checks.that('a target that is gone is deleted', row === undefined, () => String(status));
    const asked = (await told(gone)).length;
    checks.that('a target that is gone is not called again', asked === 1, () => `${status}: ${asked} times`);
  }
  const [first, second] = await told(erin);
  const waited = second!.at - first!.at;
  const hasWaited = waited >= WAIT_SECONDS * 1000 - CLOCKS_MS;
  checks.that('Retry-After is respected', hasWaited, () => `for ${waited} ms`);
  checks.that('a push is sent after Retry-After has passed', second!.status === 201, () => String(second!.status));
  const shown = (await told(franksLaptop)).length;
  checks.that('a device that shows the chat gets no push', shown === 0, () => `${shown} times`);
  checks.that('no other address is called', stranger.visits() === 0, () => `${stranger.visits()} times`);
}

async function listenForStrangers() {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/push`,
    visits: () => visits,
    [Symbol.dispose]: () => void server.close(),
  };
}

/** Stores a target whose host was allowed when it was registered and no longer is. */
async function sendElsewhere({ ctx }: Servers, { account, device }: Phone, url: string): Promise<void> {
  await ctx.shards
    .of(account)
    .query((db) =>
      sql`update push_target set address = ${url} where owner = ${account} and device = ${device}`.execute(db),
    );
}
