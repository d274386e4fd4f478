/**
 * `/v1/realtime` accepts every client and sends it only its own events. This checks who is disconnected and who counts
 * as a guest.
 */
import { WebSocket } from 'ws';
import type { Context } from '../../../../apps/server/src/context.ts';
import { createUserDocument } from '../../../../apps/server/src/features/people/users/service.ts';
import type { Report } from '../../harness/lib/report.ts';
import { ORIGIN } from '../../harness/lib/servers.ts';
import { makePerson } from './test-accounts.ts';

interface HandshakeAttempt {
  name: string;
  project?: string;
  headers?: Record<string, string>;
  /** The closing code, or whether the caller is signed in. */
  outcome: number | 'nobody' | 'somebody';
}

const MADE_UP = Buffer.alloc(48, 7).toString('base64url');
const TIMEOUT_MS = 10_000;

export async function checkServiceSocket(report: Report, ctx: Context, url: string): Promise<void> {
  const { account, token } = await makePerson(ctx);
  await createUserDocument(ctx, account, { email: null, verifiedAt: null });
  const cookie = `__Host-session=${token}`;
  const attempts: HandshakeAttempt[] = [
    { name: 'no project', project: '', outcome: 1008 },
    { name: 'other project', project: 'other', outcome: 1008 },
    { name: 'other origin', headers: { origin: 'https://elsewhere.example', cookie }, outcome: 1008 },
    { name: 'guest', outcome: 'nobody' },
    { name: 'made-up', headers: { 'x-appwrite-session': MADE_UP }, outcome: 'nobody' },
    { name: 'made-up key', headers: { 'x-appwrite-key': MADE_UP }, outcome: 'nobody' },
    // `/v1` accepts a session of the product only from our own pages.
    { name: 'no origin', headers: { cookie }, outcome: 'nobody' },
    { name: 'rightful', headers: { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, outcome: 'somebody' },
  ];
  for (const { name, project = ctx.appwrite.project, headers = {}, outcome } of attempts) {
    const found = await attemptHandshake(`${url.replace('http', 'ws')}/v1/realtime?project=${project}`, headers);
    report.check('/v1/realtime accepts exactly its documented callers', found === outcome, () => `${name}: ${found}`);
  }
}

async function attemptHandshake(
  url: string,
  headers: Record<string, string>,
): Promise<HandshakeAttempt['outcome'] | undefined> {
  const ws = new WebSocket(url, { headers });
  const timer = setTimeout(() => ws.terminate(), TIMEOUT_MS);
  return new Promise((resolve) => {
    ws.on('message', (text: Buffer) => {
      const { type, data } = JSON.parse(text.toString()) as { type: string; data: { user?: unknown } };
      if (type !== 'connected') return;
      resolve(data.user === null ? 'nobody' : 'somebody');
      ws.close();
    });
    ws.on('error', () => resolve(undefined));
    ws.on('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}
