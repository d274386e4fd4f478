import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { getStats } from '@dostar/protocol/contract/stats';
import { REALTIME_PATH } from '@dostar/protocol/realtime';
import { type Check, type CheckContext, type Outcome, passIf, passWithin } from './check.ts';

/** Above this round-trip time, typing feels slow. */
const slowest = 1500;
const tries = 5;

async function timeOnce(): Promise<number> {
  const started = performance.now();
  const reply = await fetch('/version.json', { cache: 'no-store' });
  await reply.arrayBuffer();
  return performance.now() - started;
}

function openSocket(): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const address = new URL(REALTIME_PATH, window.location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('error', () => reject(new Error('the socket did not open')));
  });
}

/** Opens a socket that only tests the connection and never acknowledges messages, so the server keeps them. */
async function withSocket(
  { isSignedIn }: CheckContext,
  work: (socket: WebSocket) => Promise<Outcome>,
): Promise<Outcome> {
  if (!isSignedIn) return { state: 'signIn' };
  const socket = await openSocket();
  try {
    return await work(socket);
  } finally {
    socket.close();
  }
}

function awaitFrame(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('message', () => resolve(), { once: true });
    socket.addEventListener('close', () => reject(new Error('the socket was closed')), { once: true });
  });
}

export const connectionChecks: readonly Check[] = [
  { id: 'online', run: () => passIf(navigator.onLine) },
  {
    id: 'site',
    async run() {
      const reply = await fetch('/version.json', { cache: 'no-store' });
      return passIf(reply.ok, `${reply.status}`);
    },
  },
  {
    id: 'delay',
    async run() {
      const times: number[] = [];
      for (let round = 0; round < tries; round += 1) times.push(await timeOnce());
      const median = times.toSorted((a, b) => a - b)[Math.floor(tries / 2)] ?? slowest;
      return passWithin(slowest, median);
    },
  },
  {
    id: 'calls',
    async run() {
      const reply = await fetch(getStats.path, { headers: { [CALL_HEADER]: ANY_ACCOUNT } });
      return passIf(reply.ok, `${reply.status}`);
    },
  },
  { id: 'socket', run: (place) => withSocket(place, async () => await Promise.resolve({ state: 'pass' })) },
  {
    id: 'pulse',
    run: (place) =>
      withSocket(place, async (socket) => {
        const started = performance.now();
        const answer = awaitFrame(socket);
        socket.send(JSON.stringify({ t: 'ping', n: 1 }));
        await answer;
        return passWithin(slowest, performance.now() - started);
      }),
  },
];
