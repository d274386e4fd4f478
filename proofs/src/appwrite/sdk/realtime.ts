import { Client, ID, Permission, Role } from 'appwrite';
import type { Models, RealtimeResponseEvent } from 'appwrite';
import { expect, same } from './fixture.ts';
import type { Assertion, Person, Fixture } from './fixture.ts';
import { PROJECT } from './service-definition.ts';

type Event = RealtimeResponseEvent<Models.Document>;
interface Frame {
  type: string;
  data?: { to?: string; code?: number; user?: unknown; subscriptions?: { removed?: boolean }[] };
}

const CHANNEL = 'databases.main.collections.messages.documents';
const one = { databaseId: 'main', collectionId: 'messages' };
const TIMEOUT_MS = 15_000;

/**
 * The `window` that the package expects and Node lacks. `setInterval` does nothing: no test lasts until a heartbeat.
 */
const PAGE = { localStorage: { getItem: () => null, setItem: () => {} }, setTimeout, setInterval: () => 0 };

/** Frames received on every socket of the package, to know when the server has answered. */
const wire: Frame[] = [];
const closings: number[] = [];
let socketsOpen = 0;

class WatchedSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url);
    socketsOpen += 1;
    this.addEventListener('message', ({ data }) => wire.push(JSON.parse(String(data)) as Frame));
    this.addEventListener('close', ({ code }) => {
      socketsOpen -= 1;
      closings.push(code);
    });
  }
}

async function withPage(task: () => Promise<void>): Promise<void> {
  const place = globalThis as unknown as Record<string, unknown>;
  const [window, socket] = [place['window'], place['WebSocket']];
  Object.assign(place, { window: PAGE, WebSocket: WatchedSocket });
  try {
    await task();
    // The package closes a socket a little after its last subscription and reads `window` until then.
    await until('the ends of all sockets', () => socketsOpen === 0);
  } finally {
    Object.assign(place, { window, WebSocket: socket });
    if (window === undefined) delete place['window'];
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what}: not in time`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves once the server has answered the subscription. */
async function subscribe(client: Client, channels: string | string[]): Promise<{ heard: Event[]; stop: () => void }> {
  const heard: Event[] = [];
  const before = countAnswers();
  const stop = client.subscribe<Models.Document>(channels, (event) => heard.push(event));
  await until('a subscription', () => countAnswers() > before);
  return { heard, stop };
}

function countAnswers(): number {
  return wire.filter(({ data }) => data?.to === 'subscribe').length;
}

function clientOf({ endpoint }: Fixture, person?: Person): Client {
  const client = new Client().setEndpoint(endpoint).setProject(PROJECT);
  return person ? client.setSession(person.secret) : client;
}

async function write({ databases }: Person, permissions?: string[]): Promise<string> {
  const input = { ...one, documentId: ID.unique(), data: { text: 'words' } };
  return (await databases.createDocument({ ...input, ...(permissions && { permissions }) })).$id;
}

async function openRaw({ endpoint }: Fixture): Promise<{ frames: Frame[]; socket: WebSocket }> {
  const socket = new WebSocket(`${endpoint.replace('http', 'ws')}/realtime?project=${PROJECT}`);
  const frames: Frame[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as Frame));
  await until('the first frame', () => frames.length > 0);
  return { frames, socket };
}

export const REALTIME: Assertion[] = [
  {
    number: 70,
    run: (fixture) =>
      withPage(async () => {
        const client = clientOf(fixture, fixture.alice);
        const { heard, stop } = await subscribe(client, CHANNEL);
        // A second subscription keeps the socket open after the first ends.
        const other = await subscribe(client, 'documents');
        const id = await write(fixture.alice);
        await until('an event', () => heard.length > 0 && other.heard.length > 0);
        same(heard.length, 1, 'events');
        const [event] = heard;
        same([event!.events[0], event!.payload.$id], [`${CHANNEL}.${id}.create`, id], 'what happened');
        expect(event!.channels.includes(CHANNEL) && event!.timestamp !== undefined, 'channels and time');
        stop();
        const later = await write(fixture.alice);
        await until('the other', () => other.heard.some(({ payload }) => payload.$id === later));
        same(heard.length, 1, 'events after the end');
        other.stop();
      }),
  },
  {
    number: 71,
    run: (fixture) =>
      withPage(async () => {
        const ears = [];
        for (const person of [fixture.bob, undefined]) ears.push(await subscribe(clientOf(fixture, person), CHANNEL));
        await write(fixture.alice);
        const open = await write(fixture.alice, [Permission.read(Role.any())]);
        for (const { heard, stop } of ears) {
          await until('what all may read', () => heard.length > 0);
          same(
            heard.map(({ payload }) => payload.$id),
            [open],
            'heard',
          );
          stop();
        }
      }),
  },
  {
    number: 72,
    run: (fixture) =>
      withPage(async () => {
        const { heard, stop } = await subscribe(clientOf(fixture, fixture.alice), `${CHANNEL}.delete`);
        const documentId = await write(fixture.alice);
        await fixture.alice.databases.deleteDocument({ ...one, documentId });
        await until('a deletion', () => heard.length > 0);
        same(
          heard.map(({ events }) => events[0]),
          [`${CHANNEL}.${documentId}.delete`],
          'deletions only',
        );
        stop();
        const { frames, socket } = await openRaw(fixture);
        same([frames[0]?.type, frames[0]?.data?.user], ['connected', null], 'first frame');
        const say = (frame: object): void => socket.send(JSON.stringify(frame));
        say({ type: 'ping' });
        say({ type: 'dance' });
        say({ type: 'authentication', data: { session: 'junk' } });
        say({ type: 'subscribe', data: [{ subscriptionId: 'x', channels: [CHANNEL], queries: [] }] });
        say({ type: 'unsubscribe', data: [{ subscriptionId: 'x' }] });
        await until('all answers', () => frames.length === 6);
        same(
          frames.slice(1).map(({ type, data }) => data?.code ?? data?.to ?? type),
          ['pong', 1003, 1003, 'subscribe', 'unsubscribe'],
          'answers',
        );
        same(frames.at(-1)?.data?.subscriptions?.[0]?.removed, true, 'removed');
        same(socket.readyState, WebSocket.OPEN, 'the socket stays open');
        socket.close();
      }),
  },
  {
    number: 73,
    run: (fixture) =>
      withPage(async () => {
        const complain = console.error;
        // The package prints the errors that the server sends.
        console.error = () => {};
        const [before, sockets] = [closings.length, wire.length];
        const client = new Client().setEndpoint(fixture.endpoint).setProject('other');
        const stop = client.subscribe(CHANNEL, () => {});
        await until('the end', () => closings.length > before);
        same(closings.at(-1), 1008, 'closing code');
        same(
          wire.slice(sockets).map(({ data }) => data?.code),
          [1008],
          'frames',
        );
        // A reconnect would happen after one second.
        await new Promise((resolve) => setTimeout(resolve, 1_300));
        same(closings.length, before + 1, 'connections');
        console.error = complain;
        stop();
      }),
  },
];
