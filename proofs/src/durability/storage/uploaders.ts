/** Users of `/v1` who upload, with calls that are repeated after a server was killed. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export const PROJECT = 'proof';
export const FILES = '/storage/buckets/files/files';
const TRIES = 200;

export interface Uploader {
  id: string;
  secret: string;
}

export interface ServerEndpoints {
  /** The URL of the next process, in turn. */
  next: () => string;
}

/**
 * Returns the first reply that is neither 429 nor 5xx. Repeats the call otherwise: a process may be killed or starting.
 */
export async function call(
  endpoints: ServerEndpoints,
  path: string,
  init: () => RequestInit,
  person?: Uploader,
): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  let why: unknown;
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      const { headers, ...rest } = init();
      const reply = await fetch(`${endpoints.next()}/v1${path}`, {
        ...rest,
        headers: {
          'x-appwrite-project': PROJECT,
          ...(person && { 'x-appwrite-session': person.secret }),
          ...(headers as Record<string, string>),
        },
      });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const isLater = reply.status === 429 || reply.status >= 500;
      if (!isLater) return { status: reply.status, bytes, headers: reply.headers };
      why = `${reply.status} ${bytes.toString().slice(0, 200)}`;
    } catch (error) {
      // The process was killed during the call.
      why = error;
    }
    await sleep(50 + Math.min(tried, 20) * 25);
  }
  throw new Error(`${path}: no answer`, { cause: why });
}

function post(body: object): () => RequestInit {
  return () => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

export async function addUploader(endpoints: ServerEndpoints): Promise<Uploader> {
  const login = { email: `${randomBytes(8).toString('hex')}@example.org`, password: 'correct horse' };
  const made = await call(endpoints, '/account', post({ userId: 'unique()', ...login }));
  const { headers } = await call(endpoints, '/account/sessions/email', post(login));
  const fallback = JSON.parse(headers.get('x-fallback-cookies') ?? '{}') as Record<string, string>;
  return {
    id: (JSON.parse(made.bytes.toString()) as { $id: string }).$id,
    secret: fallback[`a_session_${PROJECT}`] ?? '',
  };
}
